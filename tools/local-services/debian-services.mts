import { writeFile } from 'node:fs/promises';
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

/** Any user with the password "secret"; mail in `<dataDir>/mail/<user>/Maildir`. */
export function startDebianImap(root: DebianRoot, context: ServiceContext): Promise<RunningService> {
  return onFreePort(async (port) => {
    await writeFile(join(context.dataDir, 'dovecot.conf'), dovecotConfiguration(port));
    return startInside(root, context, 'dovecot', port, ['/usr/sbin/dovecot', '-F', '-c', '/data/dovecot.conf'], 'imap');
  });
}

async function startInside(
  root: DebianRoot,
  context: ServiceContext,
  name: string,
  port: number,
  inside: string[],
  scheme: string,
): Promise<RunningService> {
  const [command, args] = root.wrap(context.dataDir, inside, ['--as-pid-1', '--info-fd', '3']);
  const process = new ServiceProcess({ name, command, args, logFile: context.logFile, wrapped: true });
  await whileStopping(process, () => untilAccepts(port, () => process.assertRunning()));
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    onCrash: (listener) => process.onCrash(listener),
    stop: () => process.stop(),
  };
}
