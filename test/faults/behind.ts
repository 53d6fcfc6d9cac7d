import { randomBytes } from 'node:crypto';
import { FaultProxy, mongoUrl, redisUrl } from '@testing';
import mongoose, { type mongo } from 'mongoose';
import { type Platform, type PlatformOptions, startPlatform } from '../harness';

export interface Faulty {
  platform: Platform;
  proxy: FaultProxy;
  /** A direct connection to the platform’s database, to read it while the platform cannot reach it. */
  database: mongo.Db;
  close(): Promise<void>;
}

/** A platform behind proxies that can make MongoDB or Redis unreachable. */
export async function startBehind(
  variable: 'MONGODB_URI' | 'REDIS_URL',
  options: PlatformOptions = {},
): Promise<Faulty> {
  const proxy = new FaultProxy(variable === 'MONGODB_URI' ? mongoUrl() : redisUrl());
  const url = new URL(await proxy.start());
  if (variable === 'MONGODB_URI') url.pathname = `/test_faults_${randomBytes(6).toString('hex')}`;
  // The operator’s default: tests wait for the timeout of a silent Redis.
  const env = { REDIS_TIMEOUT_MS: '700', ...options.env, [variable]: url.toString() };
  const platform = await startPlatform({ ...options, env });
  const direct = new URL(mongoUrl());
  direct.pathname = new URL(platform.config.mongodbUri).pathname;
  const connection = await mongoose.createConnection(direct.toString()).asPromise();
  return {
    platform,
    proxy,
    database: connection.db!,
    close: async () => {
      await proxy.restore();
      await platform.close();
      await connection.close();
      await proxy.cut();
    },
  };
}
