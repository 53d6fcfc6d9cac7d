import { MongoServerError, ObjectId, type Collection, type Document } from 'mongodb';
import { openMongo, times, type TestMongo } from './testing/mongo.mts';

describe('indexes', () => {
  let mongo: TestMongo;
  beforeAll(async () => {
    mongo = await openMongo();
  });
  afterAll(() => mongo.close());

  const fresh = (): Collection => mongo.db.collection(new ObjectId().toHexString());
  const failure = (attempt: Promise<unknown>): Promise<MongoServerError> =>
    attempt.then(
      () => {
        throw new Error('expected a failure');
      },
      (error: unknown) => error as MongoServerError,
    );

  it('rejects a second document with the same unique compound key and names the key', async () => {
    const collection = fresh();
    await collection.createIndex({ workspaceId: 1, email: 1 }, { unique: true, name: 'one_email' });
    await collection.insertOne({ workspaceId: 1, email: 'a@example.test' });
    await collection.insertOne({ workspaceId: 2, email: 'a@example.test' });
    const error = await failure(collection.insertOne({ workspaceId: 1, email: 'a@example.test' }));
    expect(error).toMatchObject({
      code: 11000,
      keyPattern: { workspaceId: 1, email: 1 },
      keyValue: { workspaceId: 1, email: 'a@example.test' },
    });
    expect(error.message).toMatch(/^E11000 duplicate key error collection: \S+ index: one_email/);
  });

  it.each([
    ['updateOne', (c: Collection) => c.updateOne({ k: 2 }, { $set: { k: 1 } })],
    ['an upsert', (c: Collection) => c.updateOne({ other: 1 }, { $set: { k: 1 } }, { upsert: true })],
    ['findOneAndUpdate', (c: Collection) => c.findOneAndUpdate({ k: 2 }, { $set: { k: 1 } })],
    ['replaceOne', (c: Collection) => c.replaceOne({ k: 2 }, { k: 1 })],
  ])('rejects a duplicate from %s', async (_name, attempt) => {
    const collection = fresh();
    await collection.createIndex({ k: 1 }, { unique: true });
    await collection.insertMany([{ k: 1 }, { k: 2 }]);
    expect(await failure(attempt(collection))).toMatchObject({ code: 11000, keyPattern: { k: 1 } });
    expect(await collection.countDocuments({ k: 1 })).toBe(1);
  });

  it('counts a missing field as one value, unless the index is sparse or partial', async () => {
    const [plain, sparse, partial] = [fresh(), fresh(), fresh()];
    await plain.createIndex({ k: 1 }, { unique: true });
    await sparse.createIndex({ k: 1 }, { unique: true, sparse: true });
    await partial.createIndex({ k: 1 }, { unique: true, partialFilterExpression: { state: 'active' } });
    await plain.insertOne({ a: 1 });
    expect(await failure(plain.insertOne({ a: 2 }))).toMatchObject({ code: 11000 });
    await sparse.insertMany([{ a: 1 }, { a: 2 }]);
    await partial.insertMany([
      { k: 1, state: 'done' },
      { k: 1, state: 'done' },
      { k: 1, state: 'active' },
    ]);
    expect(await failure(partial.insertOne({ k: 1, state: 'active' }))).toMatchObject({ code: 11000 });
  });

  it('enforces unique array members across documents', async () => {
    const collection = fresh();
    await collection.createIndex({ tags: 1 }, { unique: true });
    await collection.insertOne({ tags: ['a', 'b'] });
    expect(await failure(collection.insertOne({ tags: ['b', 'c'] }))).toMatchObject({ code: 11000 });
    await collection.insertOne({ tags: ['c', 'd'] });
  });

  it('does not build a unique index over duplicates', async () => {
    const collection = fresh();
    await collection.insertMany([{ k: 1 }, { k: 1 }]);
    expect(await failure(collection.createIndex({ k: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect(await collection.indexes()).toHaveLength(1);
  });

  it('lists indexes as they were requested', async () => {
    const collection = fresh();
    await collection.createIndexes([
      { key: { a: 1, b: -1 }, name: 'ab' },
      { key: { at: 1 }, expireAfterSeconds: 60 },
      { key: { c: 1 }, unique: true, partialFilterExpression: { c: { $exists: true } } },
    ]);
    const indexes = await collection.indexes();
    expect(indexes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'ab', key: { a: 1, b: -1 } }),
        expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 60 }),
        expect.objectContaining({ key: { c: 1 }, unique: true, partialFilterExpression: { c: { $exists: true } } }),
      ]),
    );
    await collection.dropIndex('ab');
    expect(await collection.indexes()).toHaveLength(3);
  });

  it('accepts the same index again and rejects its name for another one', async () => {
    const collection = fresh();
    await collection.createIndex({ a: 1 }, { name: 'one' });
    expect(await collection.createIndex({ a: 1 }, { name: 'one' })).toBe('one');
    expect([85, 86]).toContain((await failure(collection.createIndex({ b: 1 }, { name: 'one' }))).code);
  });

  it('creates the same indexes for concurrent clients', async () => {
    const name = new ObjectId().toHexString();
    const results = await Promise.all(
      times(20, () => mongo.db.collection(name).createIndex({ a: 1, b: -1 }, { unique: true })),
    );
    expect(new Set(results).size).toBe(1);
    expect(await mongo.db.collection(name).indexes()).toHaveLength(2);
  });

  it('explains which index serves a query, or that none does', async () => {
    const collection = fresh();
    await collection.createIndex({ workspaceId: 1, createdAt: -1, _id: -1 }, { name: 'list' });
    await collection.insertMany(times(2_000, (i) => ({ workspaceId: i % 4, createdAt: new Date(i), other: i })));
    const served = await collection
      .find({ workspaceId: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(10)
      .explain('executionStats');
    expect(JSON.stringify((served['queryPlanner'] as Document)['winningPlan'])).toContain('"indexName":"list"');
    expect(JSON.stringify(served)).not.toContain('COLLSCAN');
    expect((served['executionStats'] as Document)['nReturned']).toBe(10);
    const scan = await collection.find({ other: 5 }).explain('queryPlanner');
    expect(JSON.stringify((scan['queryPlanner'] as Document)['winningPlan'])).toContain('COLLSCAN');
    expect(scan['executionStats']).toBeUndefined();
  });

  it('sorts by the index for the keyset filter of the list routes', async () => {
    const collection = fresh();
    await collection.createIndex({ workspaceId: 1, createdAt: -1, _id: -1 }, { name: 'list' });
    await collection.insertMany(times(4_000, (i) => ({ workspaceId: i % 2, createdAt: new Date(i) })));
    const at = new Date(3_000);
    const tie = [{ createdAt: { $lt: at } }, { _id: { $lt: new ObjectId() } }];
    const page = collection
      .find({ workspaceId: 1, createdAt: { $lte: at }, $or: tie })
      .sort({ createdAt: -1, _id: -1 })
      .limit(20);
    const { queryPlanner, executionStats } = await page.explain('executionStats');
    expect(JSON.stringify((queryPlanner as Document)['winningPlan'])).not.toContain('"SORT"');
    expect((executionStats as Document)['totalDocsExamined']).toBeLessThan(100);
  });
});
