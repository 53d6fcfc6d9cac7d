import { migrations } from '@domain/migrations';
import { type Config } from '@platform/config';
import { dropDatabase, testConfig } from '@testing';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { getEventPartition } from '../../libs/domain/events/testing';
import { secondRelease, store } from './stored';

const NEVER = new AbortController().signal;
const MIGRATION = migrations.find(({ name }) => name === '0008-event-outbox')!;

describe('the migration of unrelayed events to the outbox', () => {
  const stored = secondRelease();
  let config: Config;
  let connection: Connection;
  let database: mongo.Db;

  beforeAll(async () => {
    config = testConfig();
    connection = await mongoose.createConnection(config.mongodbUri).asPromise();
    database = connection.db!;
    await store(config, { events: stored['events']! });
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(config);
  });

  it('lists each of them once, under the partition of its workspace, and changes nothing else of an event', async () => {
    const { documents } = stored['events']!;
    const unrelayed = documents.filter(({ relayAt }) => relayAt !== undefined);
    expect(unrelayed.length).toBeGreaterThan(10);
    expect(documents.length).toBeGreaterThan(unrelayed.length);
    await MIGRATION.run(database, NEVER);
    const entries = await database.collection('event_outbox').find().toArray();
    const listed = entries.map(({ _id, ...entry }) => ({ id: String(_id), ...entry }));
    const expected = unrelayed.map(({ _id, workspaceId, createdAt }) => ({
      id: `${getEventPartition(String(workspaceId))}:${String(workspaceId)}:${String(_id)}`,
      workspaceId: workspaceId as unknown,
      eventIds: [_id],
      recordedAt: createdAt as unknown,
      attempts: 0,
    }));
    const sorted = <T extends { id: string }>(all: T[]) => all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(sorted(listed as never[])).toEqual(sorted(expected));
    const events = await database.collection('events').find().sort({ _id: 1 }).toArray();
    const plain = documents.map(({ relayAt: _mark, ...event }) => event);
    expect(events).toEqual(plain.toSorted((one, other) => (String(one['_id']) < String(other['_id']) ? -1 : 1)));
    const names = (await database.collection('events').indexes()).map(({ name }) => name);
    const before = stored['events']!.indexes.map(({ name }) => name);
    expect(before).toContain('relayAt_1');
    expect(new Set(names)).toEqual(new Set([...before.filter((name) => name !== 'relayAt_1'), '_id_']));
  });

  it('has nothing to do in a database without events', async () => {
    await database.dropCollection('events');
    expect(await MIGRATION.left(database)).toBe(0);
    expect(await MIGRATION.run(database, NEVER)).toBe(0);
  });
});
