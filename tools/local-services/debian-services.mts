import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { copyFile, cp, readdir, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { basename, join } from 'node:path';
import type { DebianRoot } from './debian-root.mts';
import { dovecotConfiguration } from './dovecot.mts';
import { MongoGateway } from './gateway/gateway.mts';
import { nsdConfiguration } from './nsd.mts';
import { untilAccepts } from './ports.mts';
import { onFreePort, startPostgres, whileStopping, type ServiceContext } from './postgres.mts';
import { ServiceProcess } from './processes.mts';

/** A running service: its address and its end. */
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
    // It listens before its processes are connected, and then takes seconds to stop.
    await untilGreets(port);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** A connected client must not delay the end: mail consists of complete files, so nothing is lost with the process. */
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

export interface DnsOptions {
  port: number;
  /** Folder with one file `<name>.zone` (RFC 1035, section 5) for each zone; copied into the data folder. */
  zonesFolder: string;
}

/** NSD, see nsd.mts, with zones in `<dataDir>/zones`. A zone with an error is answered SERVFAIL; the log has the reason. */
export async function startDebianDns(
  root: DebianRoot,
  context: ServiceContext,
  { port, zonesFolder }: DnsOptions,
): Promise<RunningService> {
  const copy = join(context.dataDir, 'zones');
  await rm(copy, { recursive: true, force: true });
  await cp(zonesFolder, copy, { recursive: true });
  const files = (await readdir(copy)).filter((name) => name.endsWith(ZONE_FILE)).toSorted();
  const zones = files.map((name) => basename(name, ZONE_FILE));
  const configuration = nsdConfiguration({ port, zones, zonesFolder: '/data/zones' });
  await writeFile(join(context.dataDir, 'nsd.conf'), configuration);
  const command = ['/usr/sbin/nsd', '-d', '-c', '/data/nsd.conf'];
  const service = await startInside(root, context, 'nsd', port, command, 'dns');
  try {
    // It listens before it has read its zones.
    await untilAnswers(port);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

const ZONE_FILE = '.zone';
const ANSWER_LIMIT_MS = 10_000;

async function untilAnswers(port: number): Promise<void> {
  const resolver = new Resolver({ timeout: ANSWER_LIMIT_MS, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  await resolver.resolveSoa('.').catch((error: NodeJS.ErrnoException) => {
    // The root is unknown here: REFUSED is the expected answer.
    if (error.code !== 'EREFUSED') throw new Error(`nsd does not answer: ${error.message}`, { cause: error });
  });
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
