import { type Config } from '@platform/config';
import { CollectionIndexService, getIndexes } from '@platform/database';
import mongoose, { type Connection, type Model } from 'mongoose';
import { isDiminished, writtenCollections } from './written-collections';
import { dropDatabase, forgetClosedConnections, testConfig } from './test-config';

/** Whether a whole platform uses a database, or a few modules do: the one makes every collection, the others few. */
type Users = 'platform' | 'modules';

/**
 * Databases of this worker in which collections and indexes stand that hold nothing, the one that rests longest first.
 * Making 85 collections with their indexes and dropping them again costs the database a second of processor time.
 */
const emptied: Record<Users, string[]> = { platform: [], modules: [] };

/** As many of them rest: whoever is slow to end writes into a database that nobody uses yet. */
const RESTING: Record<Users, number> = { platform: 1, modules: 3 };

/**
 * What platforms leave in theirs: that nothing stored there is of an older release. The next one would look into each
 * collection to find the same.
 */
const LEFT_BY_PLATFORMS: ReadonlySet<string> = new Set(['migrations']);

/** By address, whose database it is now: no configuration while it rests. Another configuration may name it, too. */
const holders = new Map<string, { config: Config | null; users: Users }>();

/** Those that are not handed on. */
const worn = new Set<string>();

/** By name of the database, the collections that were made there, with their indexes. */
const readExistingDatabases = new Map<string, Map<string, string>>();

/** Plans are chosen by sizes, and a collection that was emptied keeps the size that it had: these suites begin with new ones. */
const LOOKS_AT_PLANS = /\.indexes\.db\.spec\./;

/** A configuration with a database of its own: one that another suite is done with, where there is one. */
export function keptConfig(overrides: Record<string, string>, users: Users): Config {
  // Without `npm test` around it nobody would remove them.
  if (overrides['MONGODB_URI'] !== undefined || process.env['TEST_DATABASES'] !== 'kept') return testConfig(overrides);
  const mayBeUsed = !LOOKS_AT_PLANS.test(expect.getState().testPath ?? '');
  const uri = mayBeUsed && emptied[users].length > RESTING[users] ? emptied[users].shift() : undefined;
  const config = testConfig({ ...(uri === undefined ? {} : { MONGODB_URI: uri }), ...overrides });
  holders.set(config.mongodbUri, { config, users });
  return config;
}

/** Others use its database too, who may outlive its user, or its indexes are not what they were: it is dropped in the end. */
export function keepToItself({ mongodbUri }: Config): void {
  worn.add(mongodbUri);
}

/** Removes every document and leaves the rest to the next suite, or drops everything. Whoever does not hold it leaves it alone. */
export async function handBack(config: Config): Promise<void> {
  const uri = config.mongodbUri;
  const held = holders.get(uri);
  if (!held) return dropDatabase(config);
  if (held.config !== config) return;
  held.config = null;
  if (worn.has(uri) || isDiminished(new URL(uri).pathname.slice(1))) return dropDatabase(config);
  const connection = await mongoose.createConnection(uri).asPromise();
  await empty(connection, held.users);
  await connection.close();
  await forgetClosedConnections();
  emptied[held.users].push(uri);
}

/**
 * Removes every document that this process has written for a platform.
 * @throws Error when more was removed there than documents, or others use it too
 */
export async function emptyAgain({ mongodbUri }: Config, connection: Connection): Promise<void> {
  if (worn.has(mongodbUri) || isDiminished(connection.name)) throw new Error('This database is not as it was');
  await empty(connection, 'platform');
}

async function empty(connection: Connection, users: Users): Promise<void> {
  const written = writtenCollections(connection.name);
  const left = users === 'platform' ? LEFT_BY_PLATFORMS : new Set<string>();
  // One after the other: for each that is answered at the same time PostgreSQL starts a process.
  for (const name of written.filter((one) => !left.has(one))) await connection.collection(name).deleteMany({});
  // These very removals.
  writtenCollections(connection.name);
}

/** Makes what does not stand yet. In its database of before the same name may have been a collection of another kind. */
export class MissingCollections extends CollectionIndexService {
  protected override async make(model: Model<unknown>, existing: ReadonlySet<string>): Promise<void> {
    const { name } = model.collection;
    const made = madeIn(this.connection);
    const wanted = JSON.stringify(getIndexes(model));
    const stands = existing.has(name) && made.has(name);
    if (stands && made.get(name) === wanted) return;
    if (stands) await this.connection.dropCollection(name);
    await super.make(model, stands ? new Set() : existing);
    made.set(name, wanted);
  }
}

function madeIn({ name }: Connection): Map<string, string> {
  const made = readExistingDatabases.get(name) ?? new Map<string, string>();
  readExistingDatabases.set(name, made);
  return made;
}
