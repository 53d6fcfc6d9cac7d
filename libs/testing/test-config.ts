import { randomBytes } from 'node:crypto';
import { type Config, loadConfig } from '@platform/config';
import mongoose, { type Connection } from 'mongoose';
import { mongoUrl, redisUrl } from './servers';

/** A separate configuration for each suite: new database, new queue prefix, any free port. */
export function testConfig(overrides: Record<string, string> = {}): Config {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const uri = new URL(mongoUrl());
  uri.pathname = `/${name}`;
  return loadConfig({
    NODE_ENV: 'test',
    MONGODB_URI: uri.toString(),
    REDIS_URL: redisUrl(),
    // On a busy machine a process may see an answer late that has arrived in time.
    REDIS_TIMEOUT_MS: '15000',
    QUEUE_PREFIX: name,
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'silent',
    API_HOST: '127.0.0.1',
    OPS_HOST: '127.0.0.1',
    API_PORT: '0',
    API_METRICS_PORT: '0',
    WORKER_PORT: '0',
    RATE_LIMIT_REQUESTS: '1000000',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...overrides,
  });
}

/** The same installation (database, queues, keys) with other settings. */
export function testConfigLike(config: Config, overrides: Record<string, string>): Config {
  return testConfig({
    MONGODB_URI: config.mongodbUri,
    REDIS_URL: config.redisUrl,
    QUEUE_PREFIX: config.queuePrefix,
    SECRET_KEYS: config.secretKeys,
    LOG_LEVEL: config.logLevel,
    ...overrides,
  });
}

export async function dropDatabase(config: Config): Promise<void> {
  const connection = await mongoose.createConnection(config.mongodbUri).asPromise();
  await connection.dropDatabase();
  await connection.close();
  await forgetClosedConnections();
}

/** Removes closed connections from Mongoose, which keeps them with all their models for all test files of a worker. */
export async function forgetClosedConnections(): Promise<void> {
  const [, ...others] = mongoose.connections;
  const closed = others.filter(
    (connection) => connection.readyState === mongoose.ConnectionStates.disconnected && wasClosed(connection),
  );
  await Promise.all(closed.map((connection) => connection.destroy()));
}

/**
 * Whether the connection was closed deliberately (a private flag of Mongoose). An idle connection also counts as disconnected
 * after a test that blocked the driver's heartbeats for four seconds (two of `connectionOptions`).
 */
function wasClosed(connection: Connection): boolean {
  return Reflect.get(connection, '_closeCalled') === true;
}
