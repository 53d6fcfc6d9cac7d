import { dropDatabase, forgetClosedConnections, testConfig } from '@testing';
import { type Config } from '@platform/config';
import mongoose from 'mongoose';

/** Databases of this worker whose collections and indexes stand and hold nothing, the one that rests longest first. */
const emptied: string[] = [];

/** Whoever is slow to end writes into a database that nobody uses yet. */
const RESTING = 3;

/** Those that only one platform uses. */
const shareable = new Set<string>();

/**
 * A configuration with a database of its own: one that another platform is done with, where there is one. Making 85
 * collections with their indexes and dropping them again costs the database a second of processor time.
 */
export function platformConfig(overrides: Record<string, string>): Config {
  if (overrides['MONGODB_URI'] !== undefined) return testConfig(overrides);
  const uri = emptied.length > RESTING ? emptied.shift() : undefined;
  const config = testConfig({ ...(uri === undefined ? {} : { MONGODB_URI: uri }), ...overrides });
  // Without `npm test` around it nobody would remove them.
  if (process.env['TEST_DATABASES'] === 'kept') shareable.add(config.mongodbUri);
  return config;
}

/** Others use its database too, who may outlive the platform: it is dropped in the end. */
export function keepToItself({ mongodbUri }: Config): void {
  shareable.delete(mongodbUri);
}

/** Removes every document and leaves the rest to the next platform, or drops everything. */
export async function handBack(config: Config): Promise<void> {
  const uri = config.mongodbUri;
  if (!shareable.delete(uri)) return dropDatabase(config);
  const connection = await mongoose.createConnection(uri).asPromise();
  const collections = await connection.listCollections();
  await Promise.all(collections.map(({ name }) => connection.collection(name).deleteMany({})));
  await connection.close();
  await forgetClosedConnections();
  emptied.push(uri);
}
