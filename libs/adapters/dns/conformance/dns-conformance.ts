import { type DnsPort, type RecordType } from '../port/dns.port';

/** A DNS that serves the zones of the mail sandbox, real or from a table. */
export interface DnsTestEnvironment {
  readonly dns: DnsPort;
  close(): Promise<void>;
}

const NEGATIVE_TTL = 60;
const TTL = 300;

/** The conformance suite of all DNS drivers; each driver calls it once. */
export function describeDns(name: string, open: () => Promise<DnsTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: DnsTestEnvironment;
    beforeAll(async () => {
      environment = await open();
    });
    afterAll(() => environment.close());

    const ask = (name: string, type: RecordType) => environment.dns.query(name, type, { fresh: true });

    it.each([
      ['A', 'mail.sandbox.test', ['127.0.0.1']],
      ['AAAA', 'mail.sandbox.test', ['::1']],
      ['AAAA', 'www.esp.test', ['2001:db8::101']],
      ['CNAME', 'alias-1.sandbox.test', ['alias-2.sandbox.test']],
      ['MX', 'sandbox.test', [{ exchange: 'mail.sandbox.test', priority: 10 }]],
      ['NS', 'sandbox.test', ['ns.sandbox.test']],
      ['PTR', '25.2.0.192.in-addr.arpa', ['mail.demo.test']],
      ['SOA', 'sandbox.test', [{ primary: 'ns.sandbox.test', serial: 1, minimum: 60 }]],
      ['TXT', 'known.wild.sandbox.test', ['not found by a wildcard']],
    ] as const)('returns records of type %s', async (type, name, records) => {
      expect(await ask(name, type)).toEqual({ kind: 'records', records, ttl: TTL });
    });

    it('returns all records of a name, each with its preference', async () => {
      const answer = await environment.dns.query('careless.test', 'MX', { fresh: true });
      const records = answer.kind === 'records' ? [...answer.records] : [];
      expect(records.sort((a, b) => a.priority - b.priority)).toEqual([
        { exchange: 'mail.careless.test', priority: 10 },
        { exchange: 'backup.careless.test', priority: 20 },
        { exchange: 'gone.careless.test', priority: 30 },
      ]);
    });

    it('returns a null MX as a record without a host', async () => {
      expect(await ask('nomail.test', 'MX')).toEqual({
        kind: 'records',
        records: [{ exchange: '', priority: 0 }],
        ttl: TTL,
      });
    });

    it.each(['Mail.SANDBOX.test', 'mail.sandbox.test.'])('treats %s as the same name', async (name) => {
      expect(await ask(name, 'A')).toMatchObject({ kind: 'records', records: ['127.0.0.1'] });
    });

    it('joins the strings of a TXT record without separators', async () => {
      expect(await ask('parts.sandbox.test', 'TXT')).toMatchObject({ records: ['v=spf1 ip4:192.0.2.1 -all'] });
      expect(await ask('empty-txt.sandbox.test', 'TXT')).toMatchObject({ kind: 'records', records: [''] });
    });

    it('returns one character per byte of a TXT record', async () => {
      expect(await ask('bytes.sandbox.test', 'TXT')).toMatchObject({ records: ['\0\u00c3\u00bc\u00ff"\\'] });
    });

    it('returns a TXT record of more than a kilobyte completely', async () => {
      const answer = await environment.dns.query('long-txt.sandbox.test', 'TXT', { fresh: true });
      const [text = '', ...others] = answer.kind === 'records' ? answer.records : [];
      expect(others).toEqual([]);
      expect(text.length).toBeGreaterThan(1024);
      expect(text.match(/part \d of 8: /g)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((part) => `part ${part} of 8: `));
    });

    it('returns more TXT records than UDP can carry', async () => {
      const answer = await environment.dns.query('many-txt.sandbox.test', 'TXT', { fresh: true });
      const texts = answer.kind === 'records' ? answer.records : [];
      expect(texts.join('').length).toBeGreaterThan(4096);
      const numbers = texts.map((text) => Number(/^record (\d\d) of 24: /.exec(text)?.[1]));
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    });

    it.each([
      ['one-second.sandbox.test', 1],
      ['no-time.sandbox.test', 0],
    ])('reports the TTL of %s', async (name, ttl) => {
      expect(await ask(name, 'A')).toEqual({ kind: 'records', records: ['192.0.2.1'], ttl });
    });

    describe('missing names and types', () => {
      const nxdomain = { kind: 'nxdomain', ttl: NEGATIVE_TTL };
      const nodata = { kind: 'nodata', ttl: NEGATIVE_TTL };

      it.each([
        ['a missing name', 'nobody.sandbox.test', 'A', nxdomain],
        ['a name with another type', 'only-a.sandbox.test', 'TXT', nodata],
        ['a name with others below it only', 'nothing-here.sandbox.test', 'A', nodata],
        ['what is above a wildcard', 'wild.sandbox.test', 'A', nodata],
        ['what is below a name beside a wildcard', 'x.known.wild.sandbox.test', 'A', nxdomain],
        ['another type of a name beside a wildcard', 'known.wild.sandbox.test', 'A', nodata],
        ['another type of a wildcard', 'x.wild.sandbox.test', 'MX', nodata],
        ['the end of an alias', 'dangling.sandbox.test', 'A', nxdomain],
        ['another type at the end of aliases', 'alias-1.sandbox.test', 'MX', nodata],
      ] as const)('returns no records for %s', async (_, name, type, expected) => {
        expect(await ask(name, type)).toEqual(expected);
      });

      it.each([
        ['no name', ''],
        ['an empty label', 'a..sandbox.test'],
        ['a label of 64 octets', `${'a'.repeat(64)}.sandbox.test`],
        ['a name of 254 octets', `${'a.'.repeat(121)}sandbox.test`],
        ['a line break', 'a\nb.sandbox.test'],
      ])('returns nxdomain for %s', async (_, name) => {
        expect(await ask(name, 'A')).toEqual({ kind: 'nxdomain', ttl: 0 });
      });

      it.each([
        ['a label of 63 octets', `${'a'.repeat(63)}.wild.sandbox.test`],
        ['a name of 253 octets', `${'a.'.repeat(118)}wild.sandbox.test`],
        ['a character that no host name has', 'a b_"%.wild.sandbox.test'],
      ])('does not return %s', async (_, name) => {
        expect(await ask(name, 'A')).toMatchObject({ kind: 'records', records: ['127.0.0.1'] });
      });
    });

    it.each(['x.wild.sandbox.test', 'x.y.wild.sandbox.test'])('finds %s by a wildcard', async (name) => {
      expect(await ask(name, 'TXT')).toMatchObject({ kind: 'records', records: ['found by a wildcard'] });
    });

    it('follows aliases into another zone', async () => {
      expect(await ask('alias-1.sandbox.test', 'AAAA')).toEqual({
        kind: 'records',
        records: ['2001:db8::101'],
        ttl: TTL,
      });
    });

    it.each([
      ['servfail', 'servfail.test', 'a server that cannot resolve it'],
      ['refused', 'www.example.com', 'a server that will not answer'],
      ['refused', 'outside.sandbox.test', 'the end of an alias, when that is refused'],
      ['servfail', 'loop-1.sandbox.test', 'aliases that go round'],
    ])('reports %s for %s of %s', async (kind, name) => {
      const answer = await ask(name, 'A');
      expect(answer).toEqual({ kind, message: expect.any(String) as string });
    });

    it('ends with the reason of the signal, immediately when the signal is already aborted', async () => {
      const patience = new AbortController();
      const reason = new Error('enough');
      const asking = environment.dns.query('mail.sandbox.test', 'A', { signal: patience.signal, fresh: true });
      patience.abort(reason);
      await expect(asking).rejects.toBe(reason);
      await expect(environment.dns.query('', 'A', { signal: patience.signal })).rejects.toBe(reason);
    });
  });
}
