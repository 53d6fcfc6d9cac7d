import { Long, type Document } from 'mongodb';
import { openMongo, times, type TestMongo } from './testing/mongo.mts';

const CURSOR_NOT_FOUND = 43;

describe('cursors', () => {
  let mongo: TestMongo;
  beforeAll(async () => {
    mongo = await openMongo();
    await mongo.db.collection('numbers').insertMany(times(1_000, (i) => ({ i })));
  });
  afterAll(() => mongo.close());

  const open = async (batchSize: number): Promise<Long> => {
    const { cursor } = await mongo.db.command({ find: 'numbers', batchSize }, { promoteLongs: false });
    return (cursor as { id: Long }).id;
  };
  const more = (id: Long, batchSize = 1_000): Promise<Document> =>
    mongo.db.command({ getMore: id, collection: 'numbers', batchSize });

  it('reads every document exactly once over many batches, sorted or not', async () => {
    const numbers = mongo.db.collection('numbers');
    for (const cursor of [
      numbers.find({}, { batchSize: 7 }),
      numbers.find({}, { batchSize: 7 }).sort({ i: 1 }),
      numbers.aggregate([{ $match: {} }], { batchSize: 7 }),
    ]) {
      const seen = (await cursor.toArray()).map(({ i }) => i as number);
      expect(seen.toSorted((a, b) => a - b)).toEqual(times(1_000, (i) => i));
    }
  });

  it('reads 200 open cursors concurrently', async () => {
    const cursors = times(200, (k) =>
      mongo.db
        .collection('numbers')
        .find({ i: { $gte: k } }, { batchSize: 2 })
        .sort({ i: 1 }),
    );
    for (const cursor of cursors) await cursor.next();
    const second = await Promise.all(cursors.map((cursor) => cursor.next()));
    const third = await Promise.all(cursors.map((cursor) => cursor.next()));
    expect(second.map((one) => one?.['i'] as number)).toEqual(times(200, (k) => k + 1));
    expect(third.map((one) => one?.['i'] as number)).toEqual(times(200, (k) => k + 2));
    await Promise.all(cursors.map((cursor) => cursor.close()));
  });

  it('rejects a cursor that was killed, exhausted or never opened', async () => {
    const killed = await open(10);
    expect(await mongo.db.command({ killCursors: 'numbers', cursors: [killed] })).toMatchObject({ ok: 1 });
    await expect(more(killed)).rejects.toMatchObject({ code: CURSOR_NOT_FOUND });
    const read = await open(10);
    const last = await more(read, 100_000);
    expect(String((last['cursor'] as Document)['id'])).toBe('0');
    await expect(more(read)).rejects.toMatchObject({ code: CURSOR_NOT_FOUND });
    await expect(more(Long.fromNumber(4_711))).rejects.toMatchObject({ code: CURSOR_NOT_FOUND });
  });

  it('reports killed and unknown cursors separately', async () => {
    const id = await open(10);
    const unknown = Long.fromNumber(4_712);
    const answer = await mongo.db.command({ killCursors: 'numbers', cursors: [id, unknown] });
    expect((answer['cursorsKilled'] as unknown[]).map(String)).toEqual([String(id)]);
    expect((answer['cursorsNotFound'] as unknown[]).map(String)).toEqual([String(unknown)]);
  });

  it('returns no document twice while others are inserted and deleted', async () => {
    const moving = mongo.db.collection('moving');
    await moving.insertMany(times(500, (i) => ({ i })));
    const seen: unknown[] = [];
    for await (const one of moving.find({}, { batchSize: 20 })) {
      seen.push(String(one._id));
      if (seen.length % 50 === 0) await moving.insertOne({ i: -1 });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(500);
  });

  it('lists collections beyond the first batch', async () => {
    await Promise.all(times(12, (i) => mongo.db.createCollection(`many${i}`)));
    const names = (await mongo.db.listCollections({ name: /^many/ }, { batchSize: 5 }).toArray()).map(
      ({ name }) => name,
    );
    expect(new Set(names).size).toBe(12);
  });
});
