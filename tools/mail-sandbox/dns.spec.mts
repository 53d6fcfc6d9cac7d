import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decode, encode, TRUNCATED_RESPONSE } from 'dns-packet';
import { ensureDebianRoot } from '../local-services/debian-root.mts';
import { freePort } from '../local-services/ports.mts';
import { startDns } from './debian-servers.mts';
import type { KeptAlive } from './keep-alive.mts';

const ZONES = join(import.meta.dirname, 'zones');

describe('the DNS server of the sandbox', () => {
  let dataDir: string;
  let server: KeptAlive | undefined;
  let port: number;
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dns-'));
    port = await freePort();
    server = await startDns(await ensureDebianRoot(() => {}), dataDir, port, () => {});
    resolver.setServers([`127.0.0.1:${port}`]);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true });
  });

  /** The error code of a query without an answer. */
  const failure = (question: Promise<unknown>): Promise<string> =>
    question.then(
      (found) => `answered: ${JSON.stringify(found)}`,
      ({ code }: NodeJS.ErrnoException) => code ?? 'no code',
    );
  const texts = async (name: string): Promise<string[]> =>
    (await resolver.resolveTxt(name)).map((parts) => parts.join(''));

  it('serves every zone of the folder, and SERVFAIL for the deliberately broken one', async () => {
    const zones = (await readdir(ZONES)).map((file) => file.replace(/\.zone$/, ''));
    const answers = await Promise.all(
      zones.map(async (zone) => [zone, await failure(resolver.resolveSoa(zone))] as const),
    );
    const failed = answers.filter(([, answer]) => !answer.startsWith('answered'));
    expect(failed).toEqual([['servfail.test', 'ESERVFAIL']]);
    expect(zones).toEqual(expect.arrayContaining(['demo.test', 'careless.test', 'bl.sandbox.test']));
  });

  it('distinguishes a missing name, a missing record and a foreign zone', async () => {
    expect(await failure(resolver.resolve4('nobody.demo.test'))).toBe('ENOTFOUND');
    expect(await failure(resolver.resolve6('only-a.sandbox.test'))).toBe('ENODATA');
    expect(await failure(resolver.resolve4('nothing-here.sandbox.test'))).toBe('ENODATA');
    expect(await failure(resolver.resolve4('www.example.com'))).toBe('EREFUSED');
  });

  it('follows aliases between zones, without loops and without unknown targets', async () => {
    expect(await resolver.resolve4('alias-1.sandbox.test')).toEqual(['192.0.2.101']);
    expect(await resolver.resolve4('loop-1.sandbox.test')).toEqual([]);
    expect(await resolver.resolve4('outside.sandbox.test')).toEqual([]);
    expect(await failure(resolver.resolve4('dangling.sandbox.test'))).toBe('ENOTFOUND');
  });

  it('answers for any name below a wildcard, except existing ones', async () => {
    expect(await texts('a.b.wild.sandbox.test')).toEqual(['found by a wildcard']);
    expect(await texts('known.wild.sandbox.test')).toEqual(['not found by a wildcard']);
    expect(await failure(resolver.resolveTxt('x.known.wild.sandbox.test'))).toBe('ENOTFOUND');
  });

  it('returns texts in their parts, byte by byte, including long ones', async () => {
    expect(await resolver.resolveTxt('parts.sandbox.test')).toEqual([['v=spf1 ', 'ip4:192.0.2.1', ' -all']]);
    expect(await texts('empty-txt.sandbox.test')).toEqual(['']);
    expect((await texts('long-txt.sandbox.test'))[0]?.length).toBeGreaterThan(1_500);
  });

  it('truncates answers above 4 kB by UDP and sends them completely by TCP', async () => {
    const socket = createSocket('udp4');
    try {
      const question = { type: 'TXT', name: 'many-txt.sandbox.test' } as const;
      socket.send(encode({ type: 'query', id: 7, questions: [question] }), port, '127.0.0.1');
      const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(5_000) })) as [Buffer];
      expect(answer.length).toBeLessThanOrEqual(512);
      expect((decode(answer).flags ?? 0) & TRUNCATED_RESPONSE).toBe(TRUNCATED_RESPONSE);
    } finally {
      socket.close();
    }
    const records = await texts('many-txt.sandbox.test');
    expect(records).toHaveLength(24);
    expect(records.join('').length).toBeGreaterThan(4_096);
  });

  it('has all records of a healthy domain', async () => {
    expect(await resolver.resolveMx('demo.test')).toMatchObject([{ exchange: 'mail.demo.test', priority: 10 }]);
    expect(await resolver.reverse((await resolver.resolve4('mail.demo.test'))[0] ?? '')).toEqual(['mail.demo.test']);
    const spf = (await texts('demo.test')).filter((text) => text.startsWith('v=spf1'));
    expect(spf).toEqual([expect.stringMatching(/ include:spf\.esp\.test -all$/)]);
    expect(await texts('spf.esp.test')).toEqual([expect.stringMatching(/^v=spf1 ip4:.* -all$/)]);
    for (const selector of ['sandbox', 's1']) {
      const [key = ''] = await texts(`${selector}._domainkey.demo.test`);
      expect(Buffer.from(key.replace(/^.*p=/, ''), 'base64').length).toBeGreaterThan(256);
    }
    expect(await texts('_dmarc.demo.test')).toEqual([expect.stringMatching(/^v=DMARC1; p=reject; rua=/)]);
    // A health check that looks for a policy at the parent domain ends here: REFUSED would leave the result open.
    expect(await failure(resolver.resolveTxt('_dmarc.test'))).toBe('ENODATA');
    expect(await texts('_mta-sts.demo.test')).toEqual([expect.stringMatching(/^v=STSv1; id=\w+$/)]);
    expect(await texts('_smtp._tls.demo.test')).toEqual([expect.stringMatching(/^v=TLSRPTv1; rua=mailto:/)]);
  });

  it('has misconfigured domains and domains without mail', async () => {
    expect((await texts('careless.test')).filter((text) => text.startsWith('v=spf1'))).toHaveLength(2);
    expect(await texts('s1._domainkey.careless.test')).toEqual(['v=DKIM1; k=rsa; p=']);
    expect(await failure(resolver.resolve4('gone.careless.test'))).toBe('ENOTFOUND');
    expect(await resolver.resolveMx('nomail.test')).toMatchObject([{ exchange: '', priority: 0 }]);
  });

  describe('its blacklists', () => {
    const listed = (entry: string, zone: string): Promise<string[] | string> =>
      resolver.resolve4(`${entry}.${zone}.sandbox.test`).catch(({ code }: NodeJS.ErrnoException) => code ?? 'no code');
    /** ::ffff:7f00:2, nibble by nibble in reverse order. */
    const mapped = (last: string): string => `${last}.0.0.0.0.0.f.7.f.f.f.f${'.0'.repeat(20)}`;

    it('contain their test entries and not the forbidden ones (RFC 5782, section 5)', async () => {
      expect(await listed('2.0.0.127', 'bl')).toEqual(['127.0.0.2']);
      expect(await listed('1.0.0.127', 'bl')).toBe('ENOTFOUND');
      expect(await listed(mapped('2'), 'bl')).toEqual(['127.0.0.2']);
      expect(await listed(mapped('1'), 'bl')).toBe('ENOTFOUND');
      expect(await listed('test', 'dbl')).toEqual(['127.0.1.2']);
      expect(await listed('invalid', 'dbl')).toBe('ENOTFOUND');
    });

    it('list bad addresses, networks and domains with a reason', async () => {
      expect(await listed('7.3.2.1', 'bl')).toEqual(['127.0.0.4']);
      expect(await texts('7.3.2.1.bl.sandbox.test')).toEqual([expect.stringMatching(/never existed, https:/)]);
      expect((await resolver.resolve4('8.3.2.1.bl.sandbox.test')).toSorted()).toEqual(['127.0.0.2', '127.0.0.9']);
      expect(await listed('200.9.2.1', 'bl')).toEqual(['127.0.0.3']);
      expect(await listed('careless.test', 'dbl')).toEqual(['127.0.1.2']);
      expect(await listed('www.phish.test', 'dbl')).toEqual(['127.0.1.4']);
      expect(await listed('25.3.2.1', 'bl')).toBe('ENOTFOUND');
      expect(await listed('demo.test', 'dbl')).toBe('ENOTFOUND');
    });

    it('list the IPv6 address of the mail server of careless.test', async () => {
      const [address] = await resolver.resolve6('mail.careless.test');
      expect(address).toBe('2d00:5a4d::bad');
      const nibbles = `2d005a4d${'0'.repeat(20)}0bad`.split('').toReversed().join('.');
      expect(await listed(nibbles, 'bl')).toEqual(['127.0.0.4']);
    });

    it('include retired and refusing ones', async () => {
      expect(await listed('1.0.0.127', 'broken-bl')).toEqual(['127.0.0.2']);
      expect(await listed('2.0.0.127', 'empty-bl')).toBe('ENOTFOUND');
      expect(await listed('2.0.0.127', 'refusing-bl')).toEqual(['127.255.255.254']);
    });
  });

  it('is skipped with a reason when it cannot start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-dns-'));
    await mkdir(join(folder, 'nsd.conf'));
    const lines: string[] = [];
    const none = await startDns(await ensureDebianRoot(() => {}), folder, await freePort(), (line) => lines.push(line));
    expect(none).toBeUndefined();
    expect(lines).toEqual([expect.stringMatching(/^mail sandbox: there is no DNS server: EISDIR/)]);
    await rm(folder, { recursive: true });
  });

  it('logs errors in a zone', async () => {
    const log = (): Promise<string> => readFile(join(dataDir, 'nsd.log'), 'utf8');
    while (!(await log()).includes("'servfail.test' has no SOA record")) await pause(20);
    expect(await log()).not.toContain("'sandbox.test'");
  });
});
