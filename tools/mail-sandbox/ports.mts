import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { portIsFree, udpPortIsFree } from '../local-services/ports.mts';

const NAMES = ['smtp', 'smtps', 'brokenTls', 'brokenStartTls', 'otherProtocol', 'imap', 'imaps', 'web', 'dns'] as const;

export type SandboxPorts = Record<(typeof NAMES)[number], number>;

/**
 * The ports of the last start from this folder if they are free, else new ones: mailboxes that were connected to the
 * sandbox stay connected.
 */
export async function rememberedPorts(dataDir: string): Promise<SandboxPorts> {
  const file = join(dataDir, 'ports.json');
  const before = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Partial<SandboxPorts>,
    (): Partial<SandboxPorts> => ({}),
  );
  const chosen = await Promise.all(
    NAMES.map(async (name): Promise<[string, number]> => {
      const port = before[name];
      return [name, port && (await isFree(port)) ? port : await newPort()];
    }),
  );
  const ports = Object.fromEntries(chosen) as SandboxPorts;
  await writeFile(file, `${JSON.stringify(ports)}\n`);
  return ports;
}

/** Below the ephemeral ports of the system, so that it is likely to be free at the next start. */
async function newPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
}

/** For TCP and, because of the DNS server, for UDP. */
async function isFree(port: number): Promise<boolean> {
  return (await portIsFree(port)) && udpPortIsFree(port);
}
