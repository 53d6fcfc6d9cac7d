import { randomBytes } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';

export interface TestMongo {
  client: MongoClient;
  db: Db;
  /** Whether the server is the private one of this repository, which gives guarantees that MongoDB does not. */
  isGateway: boolean;
  close(): Promise<void>;
}

export function mongoUrl(): string {
  const url = process.env['MONGODB_URI'];
  if (!url)
    throw new Error('MONGODB_URI is not set: run this through `npm test`, or after `node tools/run.mjs services`');
  return url;
}

/** A client and a separate database, dropped at the end. */
export async function openMongo(options: MongoClientOptions = {}): Promise<TestMongo> {
  const client = await new MongoClient(mongoUrl(), { maxPoolSize: 120, ...options }).connect();
  const db = client.db(`gateway_${randomBytes(6).toString('hex')}`);
  const { gitVersion } = await client.db('admin').command({ buildInfo: 1 });
  return {
    client,
    db,
    isGateway: gitVersion === 'documentdb',
    close: async () => {
      await db.dropDatabase();
      await client.close();
    },
  };
}

/** The number of successful calls, and the codes of the failures. */
export function tally(results: PromiseSettledResult<unknown>[]): { fulfilled: number; codes: unknown[] } {
  const rejected = results.filter((result) => result.status === 'rejected');
  return {
    fulfilled: results.length - rejected.length,
    codes: rejected.map(({ reason }) => (reason as { code?: unknown }).code ?? String(reason)),
  };
}

export const times = <T,>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
