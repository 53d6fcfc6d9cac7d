import { migrations } from '@domain/migrations';
import { type Config } from '@platform/config';
import { dropDatabase, testConfig } from '@testing';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { secondRelease, store } from './stored';

const NEVER = new AbortController().signal;
const MIGRATION = migrations.find(({ name }) => name === '0009-job-records')!;
const JOBS = ['lead_imports', 'blacklist_tests'];

describe('the jobs of release 0.2.0', () => {
  let config: Config;
  let connection: Connection;
  let database: mongo.Db;

  beforeAll(async () => {
    config = testConfig();
    connection = await mongoose.createConnection(config.mongodbUri).asPromise();
    database = connection.db!;
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(config);
  });
  beforeEach(async () => {
    for (const { name } of await database.listCollections().toArray()) await database.dropCollection(name);
    const stored = Object.entries(secondRelease()).filter(([name]) => [...JOBS, 'dead_jobs'].includes(name));
    await store(config, Object.fromEntries(stored));
  });

  it('are due if they are open, and stay as they are otherwise', async () => {
    for (const name of JOBS) {
      const jobs = database.collection(name);
      // Ended ones are stored; an open one has this form.
      const [ended] = await jobs.find({ open: false }).toArray();
      const _id = new mongoose.mongo.ObjectId();
      await jobs.insertOne({ ...ended, _id, testCode: 'BL-1', open: true, status: 'pending', completedAt: null });
      expect(await MIGRATION.left(database)).toBeGreaterThan(0);
      await MIGRATION.run(database, NEVER);
      const planned = { holder: '', fence: 0, leaseUntil: new Date(0), nextAt: expect.any(Date) as unknown };
      expect(await jobs.findOne({ _id })).toMatchObject({ open: true, status: 'pending', ...planned });
      expect(await jobs.findOne({ _id: ended!._id })).toEqual(ended);
    }
  });

  it('are enqueued again under the name of the record, if they were given up', async () => {
    const deadJobs = database.collection('dead_jobs');
    await deadJobs.deleteMany({});
    const payload = { workspaceId: 'w' };
    await deadJobs.insertMany([
      { queue: 'lead-import', payload: { ...payload, importId: 'i' } },
      { queue: 'blacklist-test', payload: { ...payload, testId: 't' } },
      { queue: 'agent-training', payload: { ...payload, trainingId: 'a' } },
    ]);
    await MIGRATION.run(database, NEVER);
    const after = await deadJobs.find().sort({ _id: 1 }).toArray();
    expect(after.map(({ payload: one }) => one as object)).toEqual([
      { ...payload, partitionId: 'i' },
      { ...payload, partitionId: 't' },
      { ...payload, trainingId: 'a' },
    ]);
  });

  it('need no second run, and lose the index that only the old sweep used', async () => {
    const listIndexes = async () =>
      (await database.collection('blacklist_tests').indexes()).map(({ name }) => name as string);
    expect(await listIndexes()).toContain('open_1_createdAt_1');
    await MIGRATION.run(database, NEVER);
    expect(await MIGRATION.left(database)).toBe(0);
    expect(await MIGRATION.run(database, NEVER)).toBe(0);
    expect(await listIndexes()).not.toContain('open_1_createdAt_1');
  });
});
