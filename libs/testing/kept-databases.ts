import { type Config } from '@platform/config';
import { CollectionIndexService, getIndexes } from '@platform/database';
import mongoose, { type Connection, type Model } from 'mongoose';
import { isDiminished, writtenCollections } from './written-collections';
import { dropDatabase, forgetClosedConnections, testConfig } from './test-config';

/** The users of a database: a whole platform, which creates every collection, or a few modules. */
type Users = 'platform' | 'modules';

/**
 * Emptied databases of this worker with their collections and indexes, longest idle first. Creating and dropping 85 collections
 * with their indexes costs the database a second of CPU time.
 */
const emptied: Record<Users, string[]> = { platform: [], modules: [] };

/** Number of databases that stay idle, so that late writes of a finished suite hit none that is in use. */
const MIN_IDLE: Record<Users, number> = { platform: 1, modules: 3 };

/**
 * Collections that platforms leave filled: the applied migrations. Without them the next platform would search every collection
 * for data of older releases.
 */
const LEFT_BY_PLATFORMS: ReadonlySet<string> = new Set(['migrations']);

/** The user of each database by URI; without configuration while it is idle. */
const holders = new Map<string, { config: Config | null; users: Users }>();

/** URIs of databases that are not reused. */
const worn = new Set<string>();

/** Created collections with their indexes, by name of the database. */
const created = new Map<string, Map<string, string>>();

/** Suites of query plans need new databases: plans depend on sizes, and an emptied collection keeps its size. */
const PLAN_SUITES = /-indexes\.db\.spec\./;

/** Returns a configuration with an exclusive database, if possible one that another suite has finished with. */
export function reuseConfig(overrides: Record<string, string>, users: Users): Config {
  // Outside `npm test` nothing would remove kept databases.
  if (overrides['MONGODB_URI'] !== undefined || process.env['TEST_DATABASES'] !== 'kept') return testConfig(overrides);
  const mayBeUsed = !PLAN_SUITES.test(expect.getState().testPath ?? '');
  const uri = mayBeUsed && emptied[users].length > MIN_IDLE[users] ? emptied[users].shift() : undefined;
  const config = testConfig({ ...(uri === undefined ? {} : { MONGODB_URI: uri }), ...overrides });
  holders.set(config.mongodbUri, { config, users });
  return config;
}

/** Excludes the database from reuse, because other processes use it too or its indexes were changed: it is dropped at the end. */
export function excludeFromReuse({ mongodbUri }: Config): void {
  worn.add(mongodbUri);
}

/** Empties the database for the next suite, or drops it. Without effect for a database of another configuration. */
export async function returnDatabase(config: Config): Promise<void> {
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
 * @throws Error when collections or indexes were dropped there, or other processes use the database
 */
export async function emptyDatabase({ mongodbUri }: Config, connection: Connection): Promise<void> {
  if (worn.has(mongodbUri) || isDiminished(connection.name))
    throw new Error('The collections or indexes of this database were changed');
  await empty(connection, 'platform');
}

async function empty(connection: Connection, users: Users): Promise<void> {
  const written = writtenCollections(connection.name);
  const left = users === 'platform' ? LEFT_BY_PLATFORMS : new Set<string>();
  // Sequentially, because PostgreSQL starts a process per concurrent command.
  for (const name of written.filter((one) => !left.has(one))) await connection.collection(name).deleteMany({});
  // Discards the record of these removals.
  writtenCollections(connection.name);
}

/** Creates missing collections, and replaces one whose indexes belong to an earlier use of the database. */
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

function getMadeCollections({ name }: Connection): Map<string, string> {
  const made = created.get(name) ?? new Map<string, string>();
  created.set(name, made);
  return made;
}
