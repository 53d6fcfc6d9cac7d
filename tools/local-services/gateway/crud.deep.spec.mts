import { Binary, Decimal128, Long, ObjectId, type Document } from 'mongodb';
import { openMongo, times, type TestMongo } from './testing/mongo.mts';

describe('documents in the wire protocol', () => {
  let mongo: TestMongo;
  beforeAll(async () => {
    mongo = await openMongo();
  });
  afterAll(() => mongo.close());

  const fresh = (): ReturnType<TestMongo['db']['collection']> => mongo.db.collection(new ObjectId().toHexString());

  it('keeps every BSON type as written', async () => {
    const written = {
      _id: new ObjectId(),
      text: 'ä\u0000ö',
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('0.10'),
      date: new Date(1),
      bytes: new Binary(Buffer.from([0, 255])),
      nothing: null,
      pattern: /a.b/i,
      nested: [{ a: [1, 2.5, true] }],
    };
    const collection = fresh();
    await collection.insertOne(written);
    const read = await collection.findOne({ _id: written._id }, { promoteLongs: false });
    expect(JSON.stringify(read)).toBe(JSON.stringify(written));
  });

  it('inserts, finds, updates, replaces, counts and deletes', async () => {
    const collection = fresh();
    await collection.insertMany(times(10, (i) => ({ i, even: i % 2 === 0 })));
    expect(await collection.countDocuments({ even: true })).toBe(5);
    const sorted = await collection
      .find({ i: { $gte: 5 } })
      .sort({ i: -1 })
      .skip(1)
      .limit(2)
      .toArray();
    expect(sorted.map(({ i }) => i as number)).toEqual([8, 7]);
    expect(await collection.updateMany({ even: true }, { $inc: { i: 100 } })).toMatchObject({ modifiedCount: 5 });
    expect(await collection.replaceOne({ i: 1 }, { i: 'one' })).toMatchObject({ matchedCount: 1 });
    expect(await collection.deleteMany({ i: { $gt: 100 } })).toMatchObject({ deletedCount: 4 });
    expect(await collection.distinct('even')).toEqual([false, true]);
    expect(await collection.estimatedDocumentCount()).toBe(6);
  });

  it('returns the state before or after findOneAndUpdate, and upserts', async () => {
    const collection = fresh();
    const key = { _id: new ObjectId() };
    const before = await collection.findOneAndUpdate(key, { $set: { n: 1 } }, { upsert: true });
    expect(before).toBeNull();
    expect(await collection.findOneAndUpdate(key, { $inc: { n: 1 } }, { returnDocument: 'after' })).toMatchObject({
      n: 2,
    });
    expect(await collection.findOneAndDelete(key)).toMatchObject({ n: 2 });
  });

  it('updates array members by filter and by pipeline', async () => {
    const collection = fresh();
    await collection.insertOne({
      steps: [
        { k: 1, v: 1 },
        { k: 2, v: 1 },
      ],
      a: 2,
    });
    await collection.updateOne({}, { $set: { 'steps.$[step].v': 9 } }, { arrayFilters: [{ 'step.k': 2 }] });
    await collection.updateOne({}, [{ $set: { b: { $multiply: ['$a', 21] } } }]);
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({
      steps: [
        { k: 1, v: 1 },
        { k: 2, v: 9 },
      ],
      a: 2,
      b: 42,
    });
  });

  it('aggregates with $lookup, $facet, $group and $unwind', async () => {
    const [left, right] = [fresh(), fresh()];
    await left.insertMany(times(6, (i) => ({ i, group: i % 2, tags: ['a', `t${i}`] })));
    await right.insertMany([0, 1].map((group) => ({ group, name: `g${group}` })));
    const joined = await left
      .aggregate([
        { $match: { i: { $lt: 4 } } },
        { $lookup: { from: right.collectionName, localField: 'group', foreignField: 'group', as: 'found' } },
        { $unwind: '$found' },
        { $group: { _id: '$found.name', sum: { $sum: '$i' } } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    expect(joined).toEqual([
      { _id: 'g0', sum: 2 },
      { _id: 'g1', sum: 4 },
    ]);
    const [facets] = await left
      .aggregate([
        {
          $facet: { total: [{ $count: 'n' }], tags: [{ $unwind: '$tags' }, { $sortByCount: '$tags' }, { $limit: 1 }] },
        },
      ])
      .toArray();
    expect(facets).toEqual({ total: [{ n: 6 }], tags: [{ _id: 'a', count: 6 }] });
  });

  it('reports the failed operation of a bulk write, and runs the others when unordered', async () => {
    const collection = fresh();
    const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as unknown as Document[];
    await expect(collection.insertMany(documents, { ordered: true })).rejects.toMatchObject({
      code: 11000,
      insertedCount: 1,
    });
    await collection.deleteMany({});
    await expect(collection.insertMany(documents, { ordered: false })).rejects.toMatchObject({ insertedCount: 2 });
    const mixed = await collection.bulkWrite([
      { insertOne: { document: { _id: 3 } as unknown as Document } },
      { updateOne: { filter: { _id: 3 } as Document, update: { $set: { x: 1 } } } },
      { updateOne: { filter: { _id: 4 } as Document, update: { $set: { x: 1 } }, upsert: true } },
      { deleteOne: { filter: { _id: 1 } as Document } },
    ]);
    expect(mixed).toMatchObject({ insertedCount: 1, modifiedCount: 1, upsertedCount: 1, deletedCount: 1 });
  });

  it('accepts a document just below 16 MB and rejects one above', async () => {
    const collection = fresh();
    const size = 16 * 1024 * 1024;
    const { insertedId } = await collection.insertOne({ text: 'x'.repeat(size - 60) });
    const read = await collection.findOne({ _id: insertedId });
    expect(String(read?.['text'])).toHaveLength(size - 60);
    await expect(collection.insertOne({ text: 'x'.repeat(size + 100) })).rejects.toThrow(/larger|too large|size/i);
    expect(await collection.countDocuments()).toBe(1);
  });

  it.each([
    ['an unknown query operator', (c: Document) => c['find']({ a: { $no: 1 } }).toArray(), 2],
    ['an unknown update operator', (c: Document) => c['updateOne']({}, { $no: { a: 1 } }, { upsert: true }), 9],
    ['a changed _id', (c: Document) => c['updateOne']({ k: 1 }, { $set: { _id: 5 } }), 66],
    ['an unknown command', () => mongo.db.command({ fooBar: 1 }), 59],
    [
      'a view with the name of a collection',
      () => mongo.db.command({ create: 'existing', viewOn: 'other', pipeline: [] }),
      48,
    ],
    ['a hint at a missing index', (c: Document) => c['find']({ k: 1 }).hint('nope').toArray(), 2],
    ['dropping a missing index', (c: Document) => c['dropIndex']('nope'), 27],
  ])('answers %s with the error code of MongoDB', async (_what, attempt, code) => {
    const collection = mongo.db.collection('existing');
    await collection.updateOne({ k: 1 }, { $set: { k: 1 } }, { upsert: true });
    await expect(attempt(collection) as Promise<unknown>).rejects.toMatchObject({ code });
  });

  it('stops a statement that exceeds maxTimeMS, and continues to work', async () => {
    const collection = fresh();
    await collection.insertMany(times(3_000, (i) => ({ i })));
    const pipeline = [{ $match: { $expr: { $gt: [{ $add: ['$i', '$$i'] }, 5] } } }, { $count: 'n' }];
    const slow = [{ $lookup: { from: collection.collectionName, let: { i: '$i' }, pipeline, as: 'x' } }];
    await expect(collection.aggregate(slow, { maxTimeMS: 30 }).toArray()).rejects.toMatchObject({ code: 50 });
    expect(await collection.findOne({ i: 1 })).toMatchObject({ i: 1 });
  });

  it('lists collections, databases and statistics', async () => {
    const collection = fresh();
    await collection.insertOne({ a: 1 });
    const names = (await mongo.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names).toContain(collection.collectionName);
    const { databases } = await mongo.client.db('admin').command({ listDatabases: 1, nameOnly: true });
    expect((databases as { name: string }[]).map(({ name }) => name)).toContain(mongo.db.databaseName);
    expect(await mongo.db.command({ collStats: collection.collectionName })).toMatchObject({ nindexes: 1, ok: 1 });
    for (const command of ['serverStatus', 'hostInfo', 'ping', 'buildInfo']) {
      expect(await mongo.client.db('admin').command({ [command]: 1 })).toMatchObject({ ok: 1 });
    }
  });
});
