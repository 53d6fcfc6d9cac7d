import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { DebianRoot } from './debian-root.mts';
import { dovecotConfiguration } from './dovecot.mts';
import { MongoGateway } from './gateway.mts';
import { untilAccepts } from './ports.mts';
import { onFreePort, startPostgres, whileStopping, type ServiceContext } from './postgres.mts';
import { ServiceProcess } from './processes.mts';

/** A service that runs: where it listens, and its end. */
export interface RunningService {
  url: string;
  onCrash(listener: (error: Error) => void): void;
  stop(): Promise<void>;
}

/** MongoDB's protocol on DocumentDB. */
export async function startDebianMongo(root: DebianRoot, context: ServiceContext): Promise<RunningService> {
  const postgres = await startPostgres(root, context);
  const gateway = new MongoGateway({ postgres: postgres.connection });
  const port = await whileStopping(postgres.process, () => gateway.listen());
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    onCrash: (listener) => postgres.process.onCrash(listener),
    stop: async () => {
      await gateway.close();
      await postgres.process.stop();
    },
  };
}

export function redisArguments(port: number, folder: string): string[] {
  const persistence = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction', '--save', ''];
  return ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...persistence];
}

export function startDebianRedis(root: DebianRoot, context: ServiceContext): Promise<RunningService> {
  return onFreePort((port) =>
    startInside(root, context, 'redis', port, ['/usr/bin/redis-server', ...redisArguments(port, '/data')], 'redis'),
  );
}

export interface ImapOptions {
  port: number;
  tlsPort: number;
  introspectionUrl: string;
  /** PEM files; copied into the data folder. */
  certificateFile: string;
  keyFile: string;
}

/** Dovecot, see dovecot.mts; mail in `<dataDir>/mail/<user>/Maildir`. */
export async function startDebianImap(
  root: DebianRoot,
  context: ServiceContext,
  options: ImapOptions,
): Promise<RunningService> {
  const { port, tlsPort, introspectionUrl } = options;
  await copyFile(options.certificateFile, join(context.dataDir, 'imap.crt'));
  await copyFile(options.keyFile, join(context.dataDir, 'imap.key'));
  const inside = { certificate: '/data/imap.crt', key: '/data/imap.key' };
  const configuration = dovecotConfiguration({ port, tlsPort, introspectionUrl, ...inside });
  await writeFile(join(context.dataDir, 'dovecot.conf'), configuration);
  const command = ['/usr/sbin/dovecot', '-F', '-c', '/data/dovecot.conf'];
  const service = await startInside(root, context, 'dovecot', port, command, 'imap', IMAP_GRACE_MS);
  try {
    // It listens before its processes know each other, and then takes seconds to stop.
    await untilGreets(port);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** A client that stays connected must not hold up the end: mail is whole files, nothing is lost with the process. */
const IMAP_GRACE_MS = 1_500;
const GREETING_LIMIT_MS = 10_000;

async function untilGreets(port: number): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(GREETING_LIMIT_MS) });
  } finally {
    socket.destroy();
  }
}

async function startInside(
  root: DebianRoot,
  context: ServiceContext,
  name: string,
  port: number,
  inside: string[],
  scheme: string,
  graceMs?: number,
): Promise<RunningService> {
  const [command, args] = root.wrap(context.dataDir, inside, ['--as-pid-1', '--info-fd', '3']);
  const process = new ServiceProcess({ name, command, args, logFile: context.logFile, wrapped: true });
  await whileStopping(process, () => untilAccepts(port, () => process.assertRunning()));
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    onCrash: (listener) => process.onCrash(listener),
    stop: () => process.stop(graceMs),
  };
}
