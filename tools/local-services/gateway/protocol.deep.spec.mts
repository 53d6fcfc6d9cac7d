import { openMongo, mongoUrl, times, type TestMongo } from './testing/mongo.mts';
import { encodeMessage, RawClient } from './testing/raw-client.mts';

describe('the wire protocol', () => {
  let mongo: TestMongo;
  let raw: RawClient;
  beforeAll(async () => {
    mongo = await openMongo();
  });
  beforeEach(async () => {
    raw = await RawClient.connect(mongoUrl());
  });
  afterEach(() => raw.socket.destroy());
  afterAll(() => mongo.close());

  const command = (body: object): Record<string, unknown> => ({ ...body, $db: mongo.db.databaseName });

  it('describes itself as the primary of a replica set', async () => {
    for (const name of ['hello', 'isMaster']) {
      const hello = await raw.send(command({ [name]: 1 }));
      expect(hello).toMatchObject({ ok: 1, maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000 });
      expect(hello['setName']).toEqual(expect.any(String));
    }
  });

  it('accepts the documents of a write as a sequence', async () => {
    const documents = times(20, (i) => ({ _id: i }));
    expect(await raw.send(command({ insert: 'sequence' }), { sequences: { documents } })).toMatchObject({
      ok: 1,
      n: 20,
    });
    const deletes = documents.map((q) => ({ q, limit: 1 }));
    expect(await raw.send(command({ delete: 'sequence' }), { sequences: { deletes } })).toMatchObject({ ok: 1, n: 20 });
  });

  it('answers requests in order, whether they arrive in one packet or byte by byte', async () => {
    const replies = Promise.all(times(5, (i) => raw.send(command({ insert: 'order', documents: [{ _id: i }] }))));
    expect((await replies).map(({ n }) => n as number)).toEqual([1, 1, 1, 1, 1]);
    const bytes = encodeMessage(999, command({ ping: 1 }));
    const answered = new Promise<Buffer>((done) => raw.socket.once('data', done));
    for (const byte of bytes) {
      raw.socket.write(Buffer.from([byte]));
      await new Promise((done) => setImmediate(done));
    }
    expect((await answered).readInt32LE(8)).toBe(999);
  });

  it('runs an unacknowledged write before the next command, without an answer', async () => {
    const unacknowledged = command({ insert: 'silent', documents: [{ _id: 1 }], writeConcern: { w: 0 } });
    let answered = false;
    void raw.send(unacknowledged, { moreToCome: true }).then(() => (answered = true));
    const { n } = await raw.send(command({ count: 'silent' }));
    expect([n, answered]).toEqual([1, false]);
  });

  it('closes the connection on a message that is too long or invalid', async () => {
    const header = Buffer.alloc(16);
    header.writeInt32LE(200_000_000, 0);
    raw.socket.write(header);
    await raw.closed;
    const garbage = await RawClient.connect(mongoUrl());
    garbage.socket.write(Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    await garbage.closed;
  });

  it('continues after an invalid command', async () => {
    expect(await raw.send(command({ find: 5 }))).toMatchObject({ ok: 0 });
    expect(await raw.send(command({ noSuchThing: 1 }))).toMatchObject({ ok: 0, code: 59 });
    expect(await raw.send(command({ ping: 1 }))).toMatchObject({ ok: 1 });
  });

  it('transfers batches of several megabytes in both directions', async () => {
    const big = times(6, (i) => ({ _id: i, text: 'x'.repeat(3_000_000) }));
    await mongo.db.collection<{ _id: number; text: string }>('big').insertMany(big);
    const read = await mongo.db.collection('big').find().toArray();
    expect(read.map(({ text }) => (text as string).length)).toEqual(times(6, () => 3_000_000));
  });
});
