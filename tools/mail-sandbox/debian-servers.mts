import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DebianRoot, Progress } from '../local-services/debian-root.mts';
import { startDebianDns, startDebianImap, type ImapOptions } from '../local-services/debian-services.mts';
import { KeptAlive } from './keep-alive.mts';

/** Whatever becomes of the IMAP server, the rest goes on, and so does whoever runs the sandbox beside something else. */
export async function startImap(
  root: DebianRoot,
  dataDir: string,
  options: ImapOptions,
  tell: Progress,
): Promise<KeptAlive> {
  await mkdir(join(dataDir, 'mail'), { recursive: true });
  const context = { dataDir, durable: false, tidies: false, logFile: join(dataDir, 'dovecot.log') };
  return KeptAlive.start(() => startDebianImap(root, context, options), tell);
}

const ZONES_FOLDER = join(import.meta.dirname, 'zones');

/** Mail does not need it: a DNS server that does not start is told of, and answered with undefined. */
export async function startDns(
  root: DebianRoot,
  dataDir: string,
  port: number,
  tell: Progress,
): Promise<KeptAlive | undefined> {
  const context = { dataDir, durable: false, tidies: false, logFile: join(dataDir, 'nsd.log') };
  try {
    return await KeptAlive.start(() => startDebianDns(root, context, { port, zonesFolder: ZONES_FOLDER }), tell);
  } catch (error) {
    tell(`mail sandbox: there is no DNS server: ${(error as Error).message}`);
    return undefined;
  }
}
