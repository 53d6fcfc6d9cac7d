import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DebianRoot, Progress } from '../local-services/debian-root.mts';
import { startDebianDns, startDebianImap, type ImapOptions } from '../local-services/debian-services.mts';
import { KeptAlive } from './keep-alive.mts';

/** A failure of the IMAP server stops neither the other servers nor the process that runs the sandbox. */
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

/** Mail works without DNS: when the server does not start, the function reports it and returns undefined. */
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
