import { type Config } from '@platform/config';
import { CollectionIndexService, getIndexes } from '@platform/database';
import mongoose, { type Connection, type Model } from 'mongoose';
import { isDiminished, writtenCollections } from './written-collections';
import { dropDatabase, forgetClosedConnections, testConfig } from './test-config';

/**
 * Whether a whole platform or a few modules use a database: the platform creates every collection, modules only a few.
 */
type Users = 'platform' | 'modules';

/**
 * Databases of this worker with empty collections and their indexes, longest unused first.
 * Creating and dropping 85 collections with indexes costs the database a second of processor time.
 */
const emptied: Record<Users, string[]> = { platform: [], modules: [] };

/** So many unused databases remain: a slow writer then writes into a database that no suite uses yet. */
const RESTING: Record<Users, number> = { platform: 1, modules: 3 };

/**
 * Record that a platform leaves: the database contains nothing of an older release. Otherwise the next platform would
 * check each collection.
 */
const LEFT_BY_PLATFORMS: ReadonlySet<string> = new Set(['migrations']);

/**
 * By address, the configuration that owns the database now; none while it is unused. Another configuration may name it
 * too.
 */
const holders = new Map<string, { config: Config | null; users: Users }>();

/** Databases that are not reused. */
const worn = new Set<string>();

/** By database name, the created collections with their indexes. */
const readExistingDatabases = new Map<string, Map<string, string>>();

/** Query plans depend on sizes, and an emptied collection keeps its size: these suites start with new ones. */
const LOOKS_AT_PLANS = /\.indexes\.db\.spec\./;

/** A configuration with a database of its own: one that another suite has finished with, if there is one. */
export function keptConfig(overrides: Record<string, string>, users: Users): Config {
  // Without `npm test` nothing would remove them.
  if (overrides['MONGODB_URI'] !== undefined || process.env['TEST_DATABASES'] !== 'kept') return testConfig(overrides);
  const mayBeUsed = !PLAN_SUITES.test(expect.getState().testPath ?? '');
  const uri = mayBeUsed && emptied[users].length > MIN_IDLE[users] ? emptied[users].shift() : undefined;
  const config = testConfig({ ...(uri === undefined ? {} : { MONGODB_URI: uri }), ...overrides });
  holders.set(config.mongodbUri, { config, users });
  return config;
}

/** Others use the database too and may outlive this user, or its indexes were changed: it is dropped at the end. */
export function keepToItself({ mongodbUri }: Config): void {
  worn.add(mongodbUri);
}

/** Removes all documents for the next suite, or drops the database. Does nothing for a caller that does not own it. */
export async function handBack(config: Config): Promise<void> {
  const uri = config.mongodbUri;
  const holder = holders.get(uri);
  if (!holder) return dropDatabase(config);
  if (holder.config !== config) return;
  holder.config = null;
  if (worn.has(uri) || isDiminished(new URL(uri).pathname.slice(1))) return dropDatabase(config);
  const connection = await mongoose.createConnection(uri).asPromise();
  await empty(connection, holder.users);
  await connection.close();
  await forgetClosedConnections();
  emptied[holder.users].push(uri);
}

/**
 * Removes every document that this process has written for a platform.
 * @throws Error when more than documents was removed there, or others use it too
 */
export async function emptyDatabase({ mongodbUri }: Config, connection: Connection): Promise<void> {
  if (worn.has(mongodbUri) || isDiminished(connection.name))
    throw new Error('The collections or indexes of this database were changed');
  await empty(connection, 'platform');
}

async function empty(connection: Connection, users: Users): Promise<void> {
  const written = writtenCollections(connection.name);
  const left = users === 'platform' ? LEFT_BY_PLATFORMS : new Set<string>();
  // One after the other: PostgreSQL starts a process for each concurrent request.
  for (const name of written.filter((one) => !left.has(one))) await connection.collection(name).deleteMany({});
  // Only the removals of this function.
  writtenCollections(connection.name);
}

/** Creates the missing collections. An earlier database may have had a collection of another kind with this name. */
export class MissingCollections extends CollectionIndexService {
  protected override async make(model: Model<unknown>, existing: ReadonlySet<string>): Promise<void> {
    const { name } = model.collection;
    const made = getMadeCollections(this.connection);
    const expected = JSON.stringify(getIndexes(model));
    const stands = existing.has(name) && made.has(name);
    if (stands && made.get(name) === expected) return;
    if (stands) await this.connection.dropCollection(name);
    await super.make(model, stands ? new Set() : existing);
    made.set(name, expected);
  }
}

function madeIn({ name }: Connection): Map<string, string> {
  const made = readExistingDatabases.get(name) ?? new Map<string, string>();
  readExistingDatabases.set(name, made);
  return made;
}
