import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { local, writePrivate } from './files.mts';
import { sandboxTrust, type SandboxBeside } from './mail-sandbox.mts';

export interface Addresses {
  mongoUrl: string;
  redisUrl: string;
  apiPort: number;
  metricsPort: number;
  workerPort: number;
  sandbox?: Pick<SandboxBeside, 'addresses' | 'off'>;
}

const DATABASE = 'outreach';

/** Adds a database name to the address unless it has one; options stay. */
export function withDatabase(url: string, name = DATABASE): string {
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(\?.*)?$/.exec(url);
  if (!match) throw new Error('MONGODB_URI is not a mongodb:// address');
  const [, server = '', database, options = ''] = match;
  return `${server}/${database || name}${options}`;
}

/** Settings of API, worker and CLI, with the caller's own environment on top. */
export function appEnvironment(addresses: Addresses, secrets: Record<string, string>): Record<string, string> {
  return {
    NODE_ENV: 'development',
    ...secrets,
    MONGODB_URI: withDatabase(addresses.mongoUrl),
    REDIS_URL: addresses.redisUrl,
    // Reachable from this machine only, unless the caller's environment says otherwise.
    API_HOST: process.env['API_HOST'] ?? '127.0.0.1',
    OPS_HOST: process.env['OPS_HOST'] ?? '127.0.0.1',
    API_PORT: String(addresses.apiPort),
    API_METRICS_PORT: String(addresses.metricsPort),
    WORKER_PORT: String(addresses.workerPort),
    PUBLIC_URL: `http://127.0.0.1:${addresses.apiPort}`,
    ...sandboxTrust(addresses.sandbox ?? {}),
  };
}

export function parseEnvironment(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const match = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim());
    if (match?.[1]) values[match[1]] = match[2] ?? '';
  }
  return values;
}

const secretsFile = (): string => local('secrets.env');

/** Keys of this clone, created once: stored encrypted data must stay readable. Keys of the caller have priority. */
export async function ensureSecrets(): Promise<Record<string, string>> {
  if (process.env['SECRET_KEYS']) return {};
  const kept = parseEnvironment(await readFile(secretsFile(), 'utf8').catch(() => ''));
  if (kept['SECRET_KEYS']) return kept;
  const made = { ...kept, SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}` };
  const lines = Object.entries(made).map(([name, value]) => `${name}=${value}\n`);
  await writePrivate(
    secretsFile(),
    `# Created by npm start for this clone; without it the stored data cannot be read.\n${lines.join('')}`,
  );
  return made;
}
