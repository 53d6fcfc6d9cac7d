import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startMailSandbox, type MailSandboxAddresses, type MailSandboxOptions } from '../mail-sandbox/sandbox.mts';

const SANDBOX_BLACKLISTS = resolve(import.meta.dirname, '../mail-sandbox/blacklists.json');

/** The sandbox that runs beside the services, or why there is none: nothing else depends on it. */
export interface SandboxBeside {
  addresses?: MailSandboxAddresses;
  off?: string;
  stop(): Promise<void>;
}

export async function startSandboxBeside(options: MailSandboxOptions): Promise<SandboxBeside> {
  const none = (off: string): SandboxBeside => ({ off, stop: () => Promise.resolve() });
  if (process.env['MAIL_SANDBOX'] === 'off') return none('MAIL_SANDBOX=off');
  try {
    const { stop, ...addresses } = await startMailSandbox(options);
    const caFile = await withOwnCertificates(addresses);
    return { addresses: { ...addresses, caFile }, stop };
  } catch (error) {
    return none((error as Error).message);
  }
}

/** Node reads one file of additional certificates: what the caller trusts must stay trusted. */
async function withOwnCertificates({ caFile, dataDir }: MailSandboxAddresses): Promise<string> {
  const own = process.env['NODE_EXTRA_CA_CERTS'];
  if (!own || resolve(own) === caFile) return caFile;
  const bundle = join(dataDir, 'ca-bundle.crt');
  await mkdir(dataDir, { recursive: true });
  await writeFile(bundle, `${await readFile(caFile, 'utf8')}\n${await readFile(own, 'utf8').catch(() => '')}`);
  return bundle;
}

/** What a process needs to talk to the sandbox as if it were a mail provider, and to see its domains. The caller's own wins. */
export function sandboxTrust({ addresses }: Pick<SandboxBeside, 'addresses'>): Record<string, string> {
  if (!addresses) return {};
  return {
    NODE_EXTRA_CA_CERTS: addresses.caFile,
    // Its servers and its tracking pixels are on loopback, where nothing may be called otherwise.
    OUTBOUND_ALLOW_PRIVATE: process.env['OUTBOUND_ALLOW_PRIVATE'] ?? 'true',
    ...dnsServers(addresses),
  };
}

/** An empty DNS_SERVERS of the caller means the servers of this machine; those of the sandbox know no blacklists but its own. */
function dnsServers({ dns }: MailSandboxAddresses): Record<string, string> {
  const own = process.env['DNS_SERVERS'];
  if (own !== undefined) return { DNS_SERVERS: own };
  if (!dns) return {};
  return {
    DNS_SERVERS: `${dns.host}:${dns.port}`,
    BLACKLIST_ZONES_FILE: process.env['BLACKLIST_ZONES_FILE'] ?? SANDBOX_BLACKLISTS,
  };
}

/** For Jest: suites read where the sandbox is, or say why it is not there. */
export function sandboxForTests({ addresses, off }: Pick<SandboxBeside, 'addresses' | 'off'>): Record<string, string> {
  if (!addresses) return { MAIL_SANDBOX: JSON.stringify({ off: off ?? 'it was not started' }) };
  return { MAIL_SANDBOX: JSON.stringify(addresses), NODE_EXTRA_CA_CERTS: addresses.caFile };
}
