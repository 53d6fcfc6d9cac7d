import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningService } from './debian-services.mts';
import { initiateReplicaSet } from './native-services.mts';
import type { ServiceContext } from './postgres.mts';
import { onPath, run } from './processes.mts';

interface Image {
  name: 'mongo' | 'redis';
  image: string;
  port: number;
  folder: string;
  command: string[];
}

export const MONGO: Image = {
  name: 'mongo',
  image: 'mongo:8',
  port: 27017,
  folder: '/data/db',
  command: ['--replSet', 'local', '--bind_ip_all'],
};

const REDIS: Image = {
  name: 'redis',
  image: 'redis:8-alpine',
  port: 6379,
  folder: '/data',
  command: ['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'],
};

export async function dockerAnswers(): Promise<boolean> {
  if (!onPath('docker')) return false;
  return (await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 10_000 })).code === 0;
}

const idFile = (dataDir: string): string => join(dataDir, 'docker-volume-id');

/** The volume's name is stored in the data folder: without the folder, the next start begins with an empty volume. */
async function readVolume(dataDir: string, name: string): Promise<string> {
  if (!existsSync(idFile(dataDir))) await writeFile(idFile(dataDir), randomBytes(6).toString('hex'));
  return `outreach-${name}-${(await readFile(idFile(dataDir), 'utf8')).trim()}`;
}

export function containerArguments(image: Image, container: string, volume: string): string[] {
  const options = ['run', '--detach', '--rm', '--name', container, '--publish', `127.0.0.1::${image.port}`];
  return [...options, '--volume', `${volume}:${image.folder}`, image.image, ...image.command];
}

async function docker(...args: string[]): Promise<string> {
  const result = await run('docker', args);
  if (result.code !== 0) throw new Error(`docker ${args[0]} failed: ${result.stderr.trim().slice(-800)}`);
  return result.stdout.trim();
}

async function startContainer(image: Image, context: ServiceContext): Promise<RunningService & { container: string }> {
  // One container per data folder: a container of a killed run is found by its name and removed.
  const container = `outreach-${image.name}-${createHash('sha256').update(context.dataDir).digest('hex').slice(0, 12)}`;
  await run('docker', ['rm', '--force', container]);
  await docker(...containerArguments(image, container, await readVolume(context.dataDir, image.name)));
  const address = (await docker('port', container, String(image.port))).split('\n')[0] ?? '';
  let stopping = false;
  const crashed = run('docker', ['wait', container]);
  return {
    container,
    url: address,
    onCrash: (listener) =>
      void crashed.then(() => stopping || listener(new Error(`the container ${container} (${image.image}) stopped`))),
    stop: async () => {
      stopping = true;
      await run('docker', ['stop', '--timeout', '8', container], { timeoutMs: 20_000 });
      await run('docker', ['rm', '--force', container], { timeoutMs: 10_000 });
    },
  };
}

export async function startDockerMongo(context: ServiceContext): Promise<RunningService> {
  const service = await startContainer(MONGO, context);
  const url = `mongodb://${service.url}/?directConnection=true`;
  try {
    // Inside the container the member reaches itself by its own port; clients connect directly from outside.
    await initiateReplicaSet(url, `localhost:${MONGO.port}`);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return { ...service, url };
}

export async function startDockerRedis(context: ServiceContext): Promise<RunningService> {
  const service = await startContainer(REDIS, context);
  return { ...service, url: `redis://${service.url}` };
}

/** Deletes the data of a folder, the volumes included. */
export async function removeData(dataDir: string): Promise<void> {
  if (existsSync(idFile(dataDir))) {
    for (const { name } of [MONGO, REDIS])
      await run('docker', ['volume', 'rm', '--force', await readVolume(dataDir, name)]);
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
}
