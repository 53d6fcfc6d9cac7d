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

describe('the mail sandbox beside the services', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beside-'));
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 3 }));

  it('is trusted by the applications, which may then call this machine', () => {
    expect(sandboxTrust({ addresses })).toMatchObject({
      NODE_EXTRA_CA_CERTS: '/ca.crt',
      OUTBOUND_ALLOW_PRIVATE: 'true',
    });
    expect(sandboxTrust({})).toEqual({});
  });

  it.each<[string, string | undefined, MailSandboxAddresses, string | undefined]>([
    ['of the sandbox', undefined, addresses, '127.0.0.1:9'],
    ['that the caller names', '192.0.2.53', addresses, '192.0.2.53'],
    ['of this machine, when the caller says so by naming none', '', addresses, ''],
    ['of this machine, when the sandbox has none', undefined, { ...addresses, dns: undefined }, undefined],
  ])('lets the applications ask the DNS servers %s', async (_whose, own, given, expected) => {
    const env = await withEnvironment({ DNS_SERVERS: own }, () => Promise.resolve(sandboxTrust({ addresses: given })));
    expect(env['DNS_SERVERS']).toBe(expected);
  });

  it.each<[string, Record<string, string | undefined>, string | undefined]>([
    ['those of the sandbox, where its DNS is asked', {}, BLACKLISTS],
    ['those that the caller names', { BLACKLIST_ZONES_FILE: '/own.json' }, '/own.json'],
    ['the default ones, when the caller says so by naming none', { BLACKLIST_ZONES_FILE: '' }, ''],
    ['the caller’s, where other DNS servers are asked', { DNS_SERVERS: '192.0.2.53' }, undefined],
  ])('has the applications ask the blacklists %s', async (_whose, own, expected) => {
    const given = { DNS_SERVERS: undefined, BLACKLIST_ZONES_FILE: undefined, ...own };
    const env = await withEnvironment(given, () => Promise.resolve(sandboxTrust({ addresses })));
    expect(env['BLACKLIST_ZONES_FILE']).toBe(expected);
  });

  it('tells suites where it is, or why it is not there', () => {
    const env = sandboxForTests({ addresses });
    expect(JSON.parse(env['MAIL_SANDBOX'] ?? '')).toEqual(addresses);
    expect(env['NODE_EXTRA_CA_CERTS']).toBe('/ca.crt');
    expect(sandboxForTests({ off: 'no apt-get' })).toEqual({ MAIL_SANDBOX: '{"off":"no apt-get"}' });
  });

  it('can be left out', async () => {
    const beside = await withEnvironment({ MAIL_SANDBOX: 'off' }, () => startSandboxBeside({ dataDir: folder }));
    expect(beside).toMatchObject({ off: 'MAIL_SANDBOX=off' });
    expect(beside.addresses).toBeUndefined();
  });

  it('is off with a reason on a machine that cannot have Dovecot, and nothing fails', async () => {
    const machine = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: '/nowhere', MAIL_SANDBOX: undefined };
    const beside = await withEnvironment(machine, () => startSandboxBeside({ dataDir: join(folder, 'data') }));
    expect(beside.addresses).toBeUndefined();
    expect(beside.off).toMatch(/not on the PATH|run on Linux on x86-64 only/);
    await beside.stop();
  });

  it('leaves trusted what the caller trusts', async () => {
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
