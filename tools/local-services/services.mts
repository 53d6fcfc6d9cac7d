import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureDebianRoot, type DebianRoot, type Progress } from './debian-root.mts';
import { startDebianMongo, startDebianRedis, type RunningService } from './debian-services.mts';
import { dockerAnswers, startDockerMongo, startDockerRedis } from './docker-services.mts';
import { acquireLock, LockTakenError } from './lock-file.mts';
import { startNativeMongo, startNativeRedis } from './native-services.mts';
import type { ServiceContext } from './postgres.mts';
import { onPath } from './processes.mts';

type Source = 'environment' | 'path' | 'docker' | 'debian';

export interface ServicesOptions {
  dataDir: string;
  /** Survives a power failure (npm start), or is fast (tests). */
  durable?: boolean;
  /** Runs autovacuum and collects statistics, as in production (npm start, benchmarks), or keeps plans stable (tests). */
  tidies?: boolean;
  onProgress?: Progress;
  /** A service ended unexpectedly. */
  onCrash?: (error: Error) => void;
}

export interface Services {
  mongoUrl: string;
  redisUrl: string;
  source: { mongo: Source; redis: Source };
  stop(): Promise<void>;
}

export interface Machine {
  env: NodeJS.ProcessEnv;
  onPath: (name: string) => string | undefined;
  docker: () => Promise<boolean>;
}

/** The source of each service: provided, installed, run by a container engine, or unpacked. */
export async function chooseSources(machine: Machine): Promise<Services['source']> {
  let engine: Promise<boolean> | undefined;
  const choose = async (variable: string, program: string): Promise<Source> => {
    if (machine.env[variable]) return 'environment';
    if (machine.onPath(program)) return 'path';
    engine ??= machine.docker();
    return (await engine) ? 'docker' : 'debian';
  };
  return { mongo: await choose('MONGODB_URI', 'mongod'), redis: await choose('REDIS_URL', 'redis-server') };
}

const WHAT_TO_DO = `Do one of these:
  - set MONGODB_URI (a replica set) and REDIS_URL to servers that run already
  - install MongoDB (mongod) and Redis (redis-server), so that both are on the PATH
  - start a Docker engine
  - use Linux on x86-64 with apt-get, a Debian mirror and user namespaces`;

export async function startServices(options: ServicesOptions): Promise<Services> {
  const progress = options.onProgress ?? (() => {});
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const lock = await acquireLock(join(dataDir, 'services.lock')).catch((error: unknown) => {
    if (!(error instanceof LockTakenError)) throw error;
    throw new Error(`the data folder ${dataDir} is in use by process ${error.pid}: stop that first`, { cause: error });
  });
  const started: RunningService[] = [];
  const stop = async (): Promise<void> => {
    await Promise.allSettled(started.splice(0).map((service) => service.stop()));
    await lock.release();
  };
  try {
    const source = await chooseSources({ env: process.env, onPath, docker: dockerAnswers });
    const context: ServiceContext = {
      dataDir,
      durable: options.durable ?? false,
      tidies: options.tidies ?? false,
      logFile: join(dataDir, 'services.log'),
    };
    const root = needsRoot(source) ? await debianRoot(progress) : undefined;
    progress(`starting MongoDB (${describe(source.mongo, 'mongo')}) and Redis (${describe(source.redis, 'redis')})`);
    const keep = async (starting: Promise<RunningService> | undefined): Promise<string | undefined> => {
      const service = await starting;
      if (!service) return undefined;
      started.push(service);
      if (options.onCrash) service.onCrash(options.onCrash);
      return service.url;
    };
    const urls = await allOrThrow([keep(mongo(source.mongo, context, root)), keep(redis(source.redis, context, root))]);
    const [mongoUrl = '', redisUrl = ''] = urls;
    return {
      mongoUrl: mongoUrl || (process.env['MONGODB_URI'] ?? ''),
      redisUrl: redisUrl || (process.env['REDIS_URL'] ?? ''),
      source,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for every start, even after a failure: only then is the list of services to stop complete. */
async function allOrThrow<T>(work: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<T>).value);
}

function needsRoot(source: Services['source']): boolean {
  return source.mongo === 'debian' || source.redis === 'debian';
}

async function debianRoot(progress: Progress): Promise<DebianRoot> {
  try {
    return await ensureDebianRoot(progress);
  } catch (error) {
    throw new Error(`MongoDB and Redis cannot be started here: ${(error as Error).message}.\n${WHAT_TO_DO}`, {
      cause: error,
    });
  }
}

function describe(source: Source, service: 'mongo' | 'redis'): string {
  if (source === 'debian') return service === 'mongo' ? 'DocumentDB from Debian packages' : 'from Debian packages';
  return { environment: 'as given in the environment', path: 'installed here', docker: 'in Docker' }[source];
}

function mongo(source: Source, context: ServiceContext, root?: DebianRoot): Promise<RunningService> | undefined {
  if (source === 'path') return startNativeMongo(onPath('mongod') ?? 'mongod', context);
  if (source === 'docker') return startDockerMongo(context);
  return root && source === 'debian' ? startDebianMongo(root, context) : undefined;
}

function redis(source: Source, context: ServiceContext, root?: DebianRoot): Promise<RunningService> | undefined {
  if (source === 'path') return startNativeRedis(onPath('redis-server') ?? 'redis-server', context);
  if (source === 'docker') return startDockerRedis(context);
  return root && source === 'debian' ? startDebianRedis(root, context) : undefined;
}
