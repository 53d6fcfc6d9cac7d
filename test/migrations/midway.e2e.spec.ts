import { migrations } from '@domain/migrations';
import { type Config } from '@platform/config';
import { dropDatabase, testConfig } from '@testing';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { readContents, firstRelease, readIndexes, secondRelease, store, type StoredRelease } from './stored';

const NEVER = new AbortController().signal;
const READ = ['workspaces', 'campaigns', 'mailboxes', 'mailbox_turns', 'sends', 'events'];
const INDEXED = ['campaign_leads', 'events', 'mailbox_messages'];
const RENAMES = '0005-names-of-the-glossary';
const SESSIONS = '0007-oauth-sessions';
const OUTBOX = '0008-event-outbox';
const JOBS = '0009-job-records';
const OLD_INDEX = /"(resolveAt|labelRequest\.dueAt|classifyAt|way|turn|wire)"/;
const WRITES = new Set<PropertyKey>(['bulkWrite', 'updateOne', 'updateMany', 'createIndexes', 'dropIndex']);
const WRITES_OF_DATABASE = new Set<PropertyKey>(['renameCollection', 'dropCollection']);

/** A database that fails during its n-th write: half of a bulk write is done, any other write not at all. */
function dying(database: mongo.Db, writes: number): mongo.Db {
  let left = writes;
  const write = async (call: Call, args: unknown[]) => {
    left -= 1;
    if (left > 0) return call(...args);
    const [first, ...options] = args;
    // Operations of a bulk write. Index creation, and the search of an update, are done completely or not at all.
    const half = Array.isArray(first) ? first.slice(0, first.length >> 1) : [];
    if (half.length > 0) await call(half, ...options);
    throw new Error('killed');
  };
  const collection = (name: string) =>
    intercepted(database.collection(name), (method, call) => {
      return WRITES.has(method) ? (...args: unknown[]) => write(call, args) : call;
    });
  return intercepted(database, (method, call) => {
    if (method === 'collection') return collection as Call;
    return WRITES_OF_DATABASE.has(method) ? (...args: unknown[]) => write(call, args) : call;
  });
}

type Call = (...args: unknown[]) => unknown;

function intercepted<T extends object>(target: T, by: (method: PropertyKey, call: Call) => Call): T {
  return new Proxy(target, {
    get: (_target, method) => {
      const value: unknown = Reflect.get(target, method);
      return typeof value === 'function' ? by(method, value.bind(target) as Call) : value;
    },
  });
}

/** The records of 0.2.0, and only the indexes that the migration drops: other indexes take too long to create. */
function renamedRelease(): StoredRelease {
  const all = Object.entries(secondRelease({ held: true }));
  return Object.fromEntries(
    all.map(([name, { indexes, documents }]) => [
      name,
      { indexes: indexes.filter((index) => OLD_INDEX.test(JSON.stringify(index))), documents },
    ]),
  );
}

/** The events of 0.2.0, and only the index that the migration drops. */
function unrelayedEvents(): StoredRelease {
  const { indexes = [], documents = [] } = secondRelease()['events'] ?? {};
  return { events: { indexes: indexes.filter(({ name }) => name === 'relayAt_1'), documents } };
}

/** An import and a blacklist test of 0.2.0 that are open, and only the index that the migration drops. */
function openJobs(): StoredRelease {
  const { lead_imports: imports, blacklist_tests: tests } = secondRelease();
  const open = ([ended]: readonly object[] = []) => [{ ...ended, open: true, status: 'pending', completedAt: null }];
  return {
    lead_imports: { indexes: [], documents: open(imports?.documents) },
    blacklist_tests: {
      indexes: (tests?.indexes ?? []).filter(({ name }) => name === 'open_1_createdAt_1'),
      documents: open(tests?.documents),
    },
  };
}

describe('the migrations of the data of releases 0.1.0 and 0.2.0', () => {
  const stored = firstRelease();
  const toRename = renamedRelease();
  /** Data of 0.2.0 for the migrations that it needs; the others get data of 0.1.0. */
  const ownData: Readonly<Record<string, StoredRelease>> = {
    [RENAMES]: toRename,
    [SESSIONS]: { mailbox_oauth_sessions: toRename['mailbox_oauth_sessions']! },
    [OUTBOX]: unrelayedEvents(),
    [JOBS]: openJobs(),
  };
  const withoutIndexes = Object.fromEntries(
    READ.map((name) => [name, { indexes: [], documents: stored[name]?.documents ?? [] }]),
  );
  const withIndexes = Object.fromEntries(INDEXED.map((name) => [name, stored[name] ?? { indexes: [], documents: [] }]));
  let config: Config;
  let connection: Connection;
  let wanted: { contents: object; indexes: object };

  /** A database of its own: writes of a migration that has failed may still run in the last one. */
  async function begin(): Promise<void> {
    config = testConfig();
    connection = await mongoose.createConnection(config.mongodbUri).asPromise();
  }
  async function end(): Promise<void> {
    await connection.close();
    await dropDatabase(config);
  }
  /** A fresh copy in the state before the migration at this position in the list. */
  async function before(place: number): Promise<mongo.Db> {
    await end();
    await begin();
    const name = migrations[place]?.name;
    const own = name && ownData[name];
    if (own) {
      await store(config, own);
      return connection.db!;
    }
    // Indexes take longer to create than all other work here.
    await store(config, name === '0004-indexes-without-readers' ? withIndexes : withoutIndexes);
    for (const earlier of migrations.slice(0, place)) await earlier.run(connection.db!, NEVER);
    return connection.db!;
  }
  /** New records have new ids each time. */
  const state = async () => {
    const contents = await readContents(connection);
    const days = contents['campaign_days']?.map((text) => text.replace(/^\{"_id":\{[^}]*\},/, '')).toSorted();
    return { contents: { ...contents, campaign_days: days }, indexes: await readIndexes(connection) };
  };

  beforeAll(begin);
  afterAll(end);

  describe.each(migrations.map((migration, place) => ({ name: migration.name, migration, place })))('$name', (one) => {
    const { migration, place } = one;

    it('stops before its next batch on request, has nothing left after its run, and changes nothing in a second run', async () => {
      const database = await before(place);
      const left = await migration.left(database);
      expect(left).toBeGreaterThan(0);
      await expect(migration.run(database, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
      expect(await migration.left(database)).toBe(left);
      expect(await migration.run(database, NEVER)).toBeGreaterThan(0);
      wanted = await state();
      expect(await migration.left(database)).toBe(0);
      expect(await migration.run(database, NEVER)).toBe(0);
      expect(await state()).toEqual(wanted);
    });

    it.each([1, 3, 9, 14, 21, 30])(
      'has the same result when it fails during write %i and is repeated',
      async (writes) => {
        const database = await before(place);
        const run = migration.run(dying(database, writes), NEVER);
        const died = await run.then(
          () => false,
          (error: unknown) => (error as Error).message === 'killed',
        );
        // Most migrations have a few writes only; renaming has dozens.
        expect(died || (writes > 1 && migration.name !== RENAMES)).toBe(true);
        await migration.run(database, NEVER);
        expect(await state()).toEqual(wanted);
      },
    );
  });
});
