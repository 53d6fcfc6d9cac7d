import { Long, UUID, type Collection, type Document } from 'mongodb';
import { mongoUrl, openMongo, tally, times, type TestMongo } from './testing/mongo.mts';
import { RawClient } from './testing/raw-client.mts';

type Job = Document & { _id: number | string };

describe('concurrent and repeated writes', () => {
  let mongo: TestMongo;
  let raw: RawClient;
  let made = 0;
  beforeAll(async () => {
    mongo = await openMongo();
    raw = await RawClient.connect(mongoUrl());
  });
  afterAll(async () => {
    raw.socket.destroy();
    await mongo.close();
  });

  const fresh = (): Collection<Job> => mongo.db.collection<Job>(`jobs${made++}`);
  const queue = async (size: number): Promise<Collection<Job>> => {
    const jobs = fresh();
    await jobs.insertMany(times(size, (_id) => ({ _id, state: 'new' })));
    return jobs;
  };

  it.each([
    ['findOneAndUpdate', {}],
    ['findOneAndUpdate with a sort', { sort: { _id: 1 as const } }],
  ])('assigns each of 50 documents to one of 100 claimers (%s)', async (_name, options) => {
    const jobs = await queue(50);
    const claim = (by: number): Promise<Job | null> =>
      jobs.findOneAndUpdate({ state: 'new' }, { $set: { state: 'claimed', by } }, options);
    const claimed = (await Promise.all(times(100, claim))).filter((one) => one !== null);
    expect(claimed).toHaveLength(50);
    expect(new Set(claimed.map(({ _id }) => _id)).size).toBe(50);
  });

  it('has the current time in each of many concurrent updates of a document', async () => {
    const jobs = fresh();
    const until = { $add: ['$$NOW', 60_000] };
    const stamp = (_id: number) => (by: number) =>
      jobs.updateOne({ _id }, [{ $set: { by: { $ifNull: ['$by', by] }, until } }], { upsert: true });
    // Each round is a separate race.
    for (let round = 0; round < 40; round++) await Promise.all(times(20, stamp(round)));
    expect(await jobs.countDocuments()).toBe(40);
  });

  it('applies exactly one of many guarded updates of a document', async () => {
    const jobs = await queue(10);
    const results = await Promise.all(
      times(100, (by) => jobs.updateOne({ _id: by % 10, state: 'new' }, { $set: { state: 'claimed', by } })),
    );
    expect(results.reduce((sum, { modifiedCount }) => sum + modifiedCount, 0)).toBe(10);
  });

  it('divides the documents between overlapping updateMany calls', async () => {
    const jobs = await queue(100);
    const results = await Promise.all(
      times(10, (by) => jobs.updateMany({ state: 'new' }, { $set: { state: 'claimed', by } })),
    );
    expect(results.reduce((sum, { modifiedCount }) => sum + modifiedCount, 0)).toBe(100);
  });

  it('deletes each document once for concurrent deleters', async () => {
    const jobs = await queue(30);
    const deleted = (await Promise.all(times(60, () => jobs.findOneAndDelete({ state: 'new' })))).filter(
      (one) => one !== null,
    );
    expect(new Set(deleted.map(({ _id }) => _id)).size).toBe(30);
    expect(deleted).toHaveLength(30);
  });

  it('creates one document for 50 concurrent upserts, by _id and by a unique key', async () => {
    const jobs = fresh();
    await jobs.createIndex({ key: 1 }, { unique: true, partialFilterExpression: { key: { $exists: true } } });
    // Each round is a separate race. Upserts by the key can block each other, but not repeatedly.
    for (let round = 0; round < 10; round++) {
      const [_id, key] = [`id ${round}`, `key ${round}`];
      const byId = await Promise.allSettled(
        times(50, () => jobs.updateOne({ _id }, { $inc: { n: 1 } }, { upsert: true })),
      );
      const byKey = await Promise.allSettled(
        times(50, () => jobs.findOneAndUpdate({ key }, { $inc: { n: 1 } }, { upsert: true })),
      );
      expect([tally(byId), tally(byKey)]).toEqual(times(2, () => ({ fulfilled: 50, codes: [] })));
    }
    expect(await jobs.countDocuments({ n: 50 })).toBe(20);
    expect(await jobs.countDocuments()).toBe(20);
  });

  it('inserts into missing collections for concurrent clients', async () => {
    const results = await Promise.allSettled(
      times(60, (i) => mongo.db.collection(`implicit${i % 6}`).insertOne({ i })),
    );
    expect(tally(results)).toEqual({ fulfilled: 60, codes: [] });
    const counts = await Promise.all(times(6, (i) => mongo.db.collection(`implicit${i}`).countDocuments()));
    expect(counts).toEqual(times(6, () => 10));
  });

  it('completes bulk writes over the same documents in opposite order', async () => {
    const jobs = await queue(10);
    const bulk = (k: number): Promise<unknown> => {
      const ids = times(10, (i) => (k % 2 ? i : 9 - i));
      return jobs.bulkWrite(
        ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { n: 1 } } } })),
        { ordered: k % 4 < 2 },
      );
    };
    expect(tally(await Promise.allSettled(times(12, bulk)))).toEqual({ fulfilled: 12, codes: [] });
    expect(await jobs.countDocuments({ n: 12 })).toBe(10);
  });

  it.each<[string, (collection: string) => Document, Document]>([
    ['insert', (insert) => ({ insert, documents: [{ _id: 'a' }] }), { n: 1 }],
    ['insert of several documents', (insert) => ({ insert, documents: [{ _id: 'b' }, { _id: 'c' }] }), { n: 2 }],
    ['update', (update) => ({ update, updates: [{ q: { _id: 0 }, u: { $inc: { n: 1 } } }] }), { n: 1, nModified: 1 }],
    [
      'update of several documents',
      (update) => ({ update, updates: [0, 1].map((_id) => ({ q: { _id }, u: { $inc: { n: 1 } } })) }),
      { n: 2, nModified: 2 },
    ],
    ['delete', (name) => ({ delete: name, deletes: [{ q: { _id: 0 }, limit: 1 }] }), { n: 1 }],
    [
      'findAndModify',
      (findAndModify) => ({ findAndModify, query: { _id: 0 }, update: { $inc: { n: 1 } }, new: true }),
      { value: { _id: 0, state: 'new', n: 1 } },
    ],
  ])('applies a repeated %s once and returns the same answer', async (_name, make, expected) => {
    const jobs = await queue(2);
    const command = {
      ...make(jobs.collectionName),
      lsid: { id: new UUID() },
      txnNumber: Long.fromNumber(1),
      $db: mongo.db.databaseName,
    };
    const [first, second] = [await raw.send(command), await raw.send(command)];
    expect(first).toMatchObject({ ok: 1, ...expected });
    expect(second).toMatchObject({ ok: 1, ...expected });
    expect(second['writeErrors']).toBeUndefined();
    const sum = (await jobs.find().toArray()).reduce(
      (total, one) => total + ((one['n'] as number | undefined) ?? 0),
      0,
    );
    expect(sum).toBeLessThanOrEqual(2);
  });

  it('answers a write that is repeated while it runs with the reply of the first', async () => {
    const jobs = await queue(1);
    const other = await RawClient.connect(mongoUrl());
    const session = mongo.client.startSession();
    session.startTransaction();
    await jobs.updateOne({ _id: 0 }, { $set: { held: true } }, { session });
    const updates = [{ q: { _id: 0 }, u: { $inc: { n: 1 } } }];
    const command = {
      update: jobs.collectionName,
      updates,
      lsid: { id: new UUID() },
      txnNumber: Long.fromNumber(1),
      $db: mongo.db.databaseName,
    };
    const replies = [raw.send(command), other.send(command)];
    await session.commitTransaction();
    await session.endSession();
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ ok: 1, nModified: 1 });
    other.socket.destroy();
    expect(await jobs.findOne({ _id: 0 })).toMatchObject({ n: 1 });
  });
});
