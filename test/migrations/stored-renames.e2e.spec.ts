import { migrations } from '@domain/migrations';
import { type Config } from '@platform/config';
import { dropDatabase, testConfig } from '@testing';
import { EJSON } from 'bson';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { secondRelease, store } from './stored';

const NEVER = new AbortController().signal;
const MIGRATION = migrations.find(({ name }) => name === '0005-names-of-the-glossary')!;

/** Old and new names of collections, as `docs/glossary.md` gives them. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  mailbox_turns: 'mailbox_leases',
  webhook_lanes: 'webhook_work_partitions',
  chat_lanes: 'chat_work_partitions',
  crm_lanes: 'crm_work_partitions',
  enrichment_lanes: 'enrichment_work_partitions',
  holds: 'maintenance_modes',
  enrichment_loose_items: 'enrichment_staged_items',
  blacklist_standings: 'mailbox_blacklist_statuses',
  agent_switches: 'agent_kill_switches',
  integration_consents: 'oauth_consents',
};

/** `<old collection> <old field> <new field>`. */
const FIELDS = `
  mailbox_turns wokenFor requestedFor
  mailbox_turns isTrial isPoll
  mailbox_turns rest cooldown
  webhook_lanes wokenFor requestedFor
  chat_lanes wokenFor requestedFor
  enrichment_lanes wokenFor requestedFor
  crm_lanes wokenFor requestedFor
  crm_lanes planted revision
  crm_lanes strikes failures
  crm_lanes forgets deletesLinks
  crm_lanes restUntil cooldownUntil
  chat_connections restUntil cooldownUntil
  chat_connections way authMethod
  crm_connections way authMethod
  webhooks restUntil cooldownUntil
  webhooks formerSecret previousSecret
  webhooks formerSecretUntil previousSecretUntil
  enrichment_tools restUntil cooldownUntil
  mailboxes holds referencesRevision
  sends lookAt resolveAt
  sends words lastReply
  sends wireAt handoverAt
  inbox_replies lookAt resolveAt
  inbox_replies words lastReply
  inbox_replies wireAt handoverAt
  conversations labelAsk labelRequest
  tracking_hits judgeAt classifyAt
  crm_links seen remoteSnapshot
  domain_health untold pendingEvents
  warmups heldDays daysAtVolume
  agent_replies turn position`;

/** `<old collection> <field with it> <old value> <new value>`, anywhere in the record. */
const VALUES = `
  sends state wire sending
  inbox_replies state wire sending
  reports state handing sending
  crm_activities state handing sending
  holds state held active
  agent_replies cause switch kill_switch
  domain_health source given configured
  blacklist_tests reason mailbox_gone mailbox_deleted
  dead_jobs queue mailbox-turn mailbox-send
  dead_jobs queue warmup-turn warmup-send
  dead_jobs queue webhook-lane webhook-work
  dead_jobs queue chat-lane chat-work
  dead_jobs queue crm-lane crm-work
  dead_jobs queue enrichment-lane enrichment-work
  dead_jobs queue tracking-verdict periodic`;

const rows = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

/** The expected record: derived by text replacement, without code of the migration. */
function renamed(collection: string, record: mongo.BSON.Document): unknown {
  const fields = new Map(rows(FIELDS).flatMap(([of, from, to]) => (of === collection ? [[from!, to!] as const] : [])));
  const values = new Map(
    rows(VALUES).flatMap(([of, field, from, to]) => (of === collection ? [[`${field} ${from}`, to!] as const] : [])),
  );
  const walk = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, field));
    if (typeof value === 'string') return values.get(`${field} ${value}`) ?? value;
    if (value === null || typeof value !== 'object' || '$oid' in value || '$date' in value) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, name)]));
  };
  const plain = EJSON.serialize(record, { relaxed: false });
  // A queue that only the clock filled is a task of one queue.
  if (collection === 'dead_jobs' && record['queue'] === 'tracking-verdict')
    plain['payload'] = { task: 'hit-classification' };
  return Object.fromEntries(
    Object.entries(plain)
      .map(([name, value]) => [fields.get(name) ?? name, walk(value, name)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe('the renaming of the data of release 0.2.0', () => {
  const stored = secondRelease({ held: true });
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
  const restore = async (names?: readonly string[]) => {
    for (const { name } of await database.listCollections().toArray()) await database.dropCollection(name);
    const chosen = Object.entries(stored).filter(([name]) => names === undefined || names.includes(name));
    await store(config, Object.fromEntries(chosen.map(([name, one]) => [name, { ...one, indexes: [] }])));
  };
  const recordsOf = (name: string) => database.collection(name).find().sort({ _id: 1 }).toArray();

  it('changes these names in every record, and nothing else', async () => {
    await restore();
    // The sandbox ports are the current ones.
    const before = new Map<string, mongo.BSON.Document[]>();
    for (const name of Object.keys(stored)) before.set(name, await recordsOf(name));
    await MIGRATION.run(database, NEVER);
    const there = (await database.listCollections().toArray()).map(({ name }) => name);
    expect(there.toSorted()).toEqual(
      Object.keys(stored)
        .filter((name) => name !== 'fleet_members')
        .map((name) => COLLECTIONS[name] ?? name)
        .toSorted(),
    );
    for (const [name, records] of before) {
      if (name === 'fleet_members') continue;
      const now = await recordsOf(COLLECTIONS[name] ?? name);
      const plain = now.map((record) => renamed('', record));
      expect({ name, records: plain }).toEqual({ name, records: records.map((record) => renamed(name, record)) });
    }
  });

  it('counts the remaining changes without making any', async () => {
    await restore(['sends', 'holds', 'fleet_members']);
    const left = await MIGRATION.left(database);
    expect(left).toBeGreaterThan(2);
    expect(await MIGRATION.left(database)).toBe(left);
    await MIGRATION.run(database, NEVER);
    expect(await MIGRATION.left(database)).toBe(0);
  });

  it('refuses to begin while a process of the old release has a fresh heartbeat', async () => {
    await restore(['holds']);
    const expiresAt = new Date(Date.now() + 30_000);
    await database.collection('fleet_members').insertOne({ work: 'api', expiresAt });
    await expect(MIGRATION.run(database, NEVER)).rejects.toThrow('Processes of the old release still use the database');
    expect(await recordsOf('holds')).toHaveLength(1);
    await database.collection('fleet_members').updateOne({}, { $set: { expiresAt: new Date(0) } });
    await MIGRATION.run(database, NEVER);
    expect(await recordsOf('maintenance_modes')).toHaveLength(1);
  });

  it('replaces an empty collection with the new name, and drops an empty one with the old name', async () => {
    await restore(['holds', 'agent_switches']);
    await database.createCollection('maintenance_modes');
    await database.collection('agent_switches').deleteMany({});
    await database.collection('agent_kill_switches').insertOne({ workspaceId: new mongoose.mongo.ObjectId() });
    await MIGRATION.run(database, NEVER);
    expect(await recordsOf('maintenance_modes')).toMatchObject([{ state: 'active' }]);
    expect(await recordsOf('agent_kill_switches')).toHaveLength(1);
    expect(await MIGRATION.left(database)).toBe(0);
  });

  it('stops if collections of both names have records, and keeps both', async () => {
    await restore(['holds']);
    await database.collection('maintenance_modes').insertOne({ state: 'active' });
    await expect(MIGRATION.run(database, NEVER)).rejects.toThrow('Both holds and maintenance_modes hold records');
    expect([await recordsOf('holds'), await recordsOf('maintenance_modes')]).toMatchObject([[{}], [{}]]);
  });
});
