import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import { sandboxForTests, sandboxTrust, startSandboxBeside } from './mail-sandbox.mts';

const BLACKLISTS = join(import.meta.dirname, '../mail-sandbox/blacklists.json');

const addresses: MailSandboxAddresses = {
  smtp: { host: '127.0.0.1', port: 1, tlsPort: 2, brokenTlsPort: 3, brokenStartTlsPort: 4, otherProtocolPort: 5 },
  imap: { host: '127.0.0.1', port: 6, tlsPort: 7 },
  dns: { host: '127.0.0.1', port: 9 },
  webUrl: 'http://127.0.0.1:8',
  caFile: '/ca.crt',
  acceptedLog: '/data/accepted.jsonl',
  submittedLog: '/data/given.jsonl',
  dataDir: '/data',
  password: 'sandbox-password',
};

/** Sets variables for one test; undefined removes one. */
async function withEnvironment<T>(values: Record<string, string | undefined>, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  try {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    return await work();
  } finally {
    for (const name of Object.keys(values)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

describe('the mail sandbox of the services', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beside-'));
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 3 }));

  it('is trusted by the applications, which may then connect to this machine', () => {
    expect(sandboxTrust({ addresses })).toMatchObject({
      NODE_EXTRA_CA_CERTS: '/ca.crt',
      OUTBOUND_ALLOW_PRIVATE: 'true',
    });
    expect(sandboxTrust({})).toEqual({});
  });

  it.each<[string, string | undefined, MailSandboxAddresses, string | undefined]>([
    ['of the sandbox', undefined, addresses, '127.0.0.1:9'],
    ['of the caller', '192.0.2.53', addresses, '192.0.2.53'],
    ['of this machine, when the caller sets an empty value', '', addresses, ''],
    ['of this machine, when the sandbox has no DNS server', undefined, { ...addresses, dns: undefined }, undefined],
  ])('configures the DNS servers %s', async (_whose, own, given, expected) => {
    const env = await withEnvironment({ DNS_SERVERS: own }, () => Promise.resolve(sandboxTrust({ addresses: given })));
    expect(env['DNS_SERVERS']).toBe(expected);
  });

  it.each<[string, Record<string, string | undefined>, string | undefined]>([
    ['of the sandbox, with its DNS server', {}, BLACKLISTS],
    ['of the caller', { BLACKLIST_ZONES_FILE: '/own.json' }, '/own.json'],
    ['of the defaults, when the caller sets an empty value', { BLACKLIST_ZONES_FILE: '' }, ''],
    ['of the caller, with other DNS servers', { DNS_SERVERS: '192.0.2.53' }, undefined],
  ])('configures the blacklists %s', async (_whose, own, expected) => {
    const given = { DNS_SERVERS: undefined, BLACKLIST_ZONES_FILE: undefined, ...own };
    const env = await withEnvironment(given, () => Promise.resolve(sandboxTrust({ addresses })));
    expect(env['BLACKLIST_ZONES_FILE']).toBe(expected);
  });

  it('exports its address to the suites, or the reason why it is off', () => {
    const env = sandboxForTests({ addresses });
    expect(JSON.parse(env['MAIL_SANDBOX'] ?? '')).toEqual(addresses);
    expect(env['NODE_EXTRA_CA_CERTS']).toBe('/ca.crt');
    expect(sandboxForTests({ off: 'no apt-get' })).toEqual({ MAIL_SANDBOX: '{"off":"no apt-get"}' });
  });

  it('can be disabled', async () => {
    const beside = await withEnvironment({ MAIL_SANDBOX: 'off' }, () => startSandboxBeside({ dataDir: folder }));
    expect(beside).toMatchObject({ off: 'MAIL_SANDBOX=off' });
    expect(beside.addresses).toBeUndefined();
  });

  it('is off with a reason on a machine without Dovecot, without an error', async () => {
    const machine = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: '/nowhere', MAIL_SANDBOX: undefined };
    const beside = await withEnvironment(machine, () => startSandboxBeside({ dataDir: join(folder, 'data') }));
    expect(beside.addresses).toBeUndefined();
    expect(beside.off).toMatch(/not on the PATH|run on Linux on x86-64 only/);
    await beside.stop();
  });

  it('keeps the certificates that the caller trusts', async () => {
    const own = join(folder, 'own.crt');
    await writeFile(own, 'OWN CERTIFICATE');
    const beside = await withEnvironment({ NODE_EXTRA_CA_CERTS: own, MAIL_SANDBOX: undefined }, () =>
      startSandboxBeside({ dataDir: join(folder, 'data') }),
    );
    try {
      expect(beside.off).toBeUndefined();
      const bundle = await readFile(beside.addresses?.caFile ?? '', 'utf8');
      expect(bundle).toContain('OWN CERTIFICATE');
      expect(bundle).toContain('BEGIN CERTIFICATE');
    } finally {
      await beside.stop();
    }
  });
});
