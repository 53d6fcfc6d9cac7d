import { dropDatabase, forgetClosedConnections, testConfig } from '@testing';
import { type TestingModuleBuilder } from '@nestjs/testing';
import { type Config } from '@platform/config';
import { CollectionIndexes } from '@platform/database';
import mongoose from 'mongoose';

/** Databases of this worker whose collections and indexes stand and hold nothing, the one that rests longest first. */
const emptied: string[] = [];

/** Whoever is slow to end writes into a database that nobody uses yet. */
const RESTING = 3;

/** Those that only one platform uses. */
const shareable = new Set<string>();

/** Those in which a platform of this worker has made everything before. */
const standing = new Set<string>();

const NOTHING_TO_MAKE = { ensure: () => Promise.resolve() };

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

/** What would make the collections and indexes of this database does nothing where they stand already. */
export function asItStands(builder: TestingModuleBuilder, { mongodbUri }: Config): TestingModuleBuilder {
  return standing.has(mongodbUri) ? builder.overrideProvider(CollectionIndexes).useValue(NOTHING_TO_MAKE) : builder;
}

/** Others use its database too, who may outlive the platform, or its indexes are not what they were: it is dropped in the end. */
export function keepToItself({ mongodbUri }: Config): void {
  shareable.delete(mongodbUri);
}

/** Removes every document and leaves the rest to the next platform, or drops everything. */
export async function handBack(config: Config): Promise<void> {
  const uri = config.mongodbUri;
  if (!shareable.delete(uri)) return dropDatabase(config);
  const connection = await mongoose.createConnection(uri).asPromise();
  const collections = await connection.listCollections();
  // One after the other: for each that is answered at the same time PostgreSQL starts a process.
  for (const { name } of collections) await connection.collection(name).deleteMany({});
  await connection.close();
  await forgetClosedConnections();
  standing.add(uri);
  emptied.push(uri);
}
