import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startMailSandbox, type MailSandboxAddresses, type MailSandboxOptions } from '../mail-sandbox/sandbox.mts';

const SANDBOX_BLACKLISTS = resolve(import.meta.dirname, '../mail-sandbox/blacklists.json');

/** The sandbox of the services, or the reason why there is none: nothing else depends on it. */
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

/** Node reads one file of additional certificates, so the bundle includes those of the caller. */
async function withOwnCertificates({ caFile, dataDir }: MailSandboxAddresses): Promise<string> {
  const own = process.env['NODE_EXTRA_CA_CERTS'];
  if (!own || resolve(own) === caFile) return caFile;
  const bundle = join(dataDir, 'ca-bundle.crt');
  await mkdir(dataDir, { recursive: true });
  await writeFile(bundle, `${await readFile(caFile, 'utf8')}\n${await readFile(own, 'utf8').catch(() => '')}`);
  return bundle;
}

/** Environment for processes that use the sandbox as a mail provider and DNS server. The caller's values have priority. */
export function sandboxTrust({ addresses }: Pick<SandboxBeside, 'addresses'>): Record<string, string> {
  if (!addresses) return {};
  return {
    NODE_EXTRA_CA_CERTS: addresses.caFile,
    // The servers and tracking pixels of the sandbox are on loopback, which is otherwise forbidden.
    OUTBOUND_ALLOW_PRIVATE: process.env['OUTBOUND_ALLOW_PRIVATE'] ?? 'true',
    ...dnsServers(addresses),
  };
}

/** An empty DNS_SERVERS of the caller means the system's servers; the sandbox's servers know only its own blacklists. */
function dnsServers({ dns }: MailSandboxAddresses): Record<string, string> {
  const own = process.env['DNS_SERVERS'];
  if (own !== undefined) return { DNS_SERVERS: own };
  if (!dns) return {};
  return {
    DNS_SERVERS: `${dns.host}:${dns.port}`,
    BLACKLIST_ZONES_FILE: process.env['BLACKLIST_ZONES_FILE'] ?? SANDBOX_BLACKLISTS,
  };
}

/** For Jest: the addresses of the sandbox, or the reason why it is off. */
export function sandboxForTests({ addresses, off }: Pick<SandboxBeside, 'addresses' | 'off'>): Record<string, string> {
  if (!addresses) return { MAIL_SANDBOX: JSON.stringify({ off: off ?? 'it was not started' }) };
  return { MAIL_SANDBOX: JSON.stringify(addresses), NODE_EXTRA_CA_CERTS: addresses.caFile };
}
