import fc from 'fast-check';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { findApplicableStep, getOrganisationalDomain, walkedDomains, walkTree } from './tree-walk';

/** Domains with the text of their record. */
const zoneOf = (records: Record<string, string | string[]>): ZoneTable =>
  Object.fromEntries(Object.entries(records).map(([domain, text]) => [`_dmarc.${domain}`, { TXT: [text].flat() }]));

const walk = (domain: string, zone: ZoneTable) => walkTree(new ZoneDnsDriver(zone), domain);

describe('the DNS tree walk (RFC 9989, section 4.10)', () => {
  it('sends the queries of the RFC’s example', async () => {
    const dns = new ZoneDnsDriver();
    await walkTree(dns, 'a.b.c.d.e.f.g.h.i.j.mail.example.com');
    expect(dns.queries.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'TXT _dmarc.a.b.c.d.e.f.g.h.i.j.mail.example.com',
      'TXT _dmarc.g.h.i.j.mail.example.com',
      'TXT _dmarc.h.i.j.mail.example.com',
      'TXT _dmarc.i.j.mail.example.com',
      'TXT _dmarc.j.mail.example.com',
      'TXT _dmarc.mail.example.com',
      'TXT _dmarc.example.com',
      'TXT _dmarc.com',
    ]);
  });

  it.each<[string, string[]]>([
    ['com', ['com']],
    ['Example.com.', ['example.com', 'com']],
    ['a.example.com', ['a.example.com', 'example.com', 'com']],
    [
      '1.2.3.4.5.6.7.8',
      ['1.2.3.4.5.6.7.8', '2.3.4.5.6.7.8', '3.4.5.6.7.8', '4.5.6.7.8', '5.6.7.8', '6.7.8', '7.8', '8'],
    ],
    [
      '0.1.2.3.4.5.6.7.8',
      ['0.1.2.3.4.5.6.7.8', '2.3.4.5.6.7.8', '3.4.5.6.7.8', '4.5.6.7.8', '5.6.7.8', '6.7.8', '7.8', '8'],
    ],
  ])('of %s', (domain, domains) => {
    expect(walkedDomains(domain)).toEqual(domains);
  });

  it.each(['y', 'n'])('ends at a record with psd=%s', async (psd) => {
    const steps = await walk('a.b.example.com', zoneOf({ 'b.example.com': `v=DMARC1; p=none; psd=${psd}` }));
    expect(steps.map(({ domain }) => domain)).toEqual(['a.b.example.com', 'b.example.com']);
  });

  it('continues after a record without psd', async () => {
    expect(await walk('example.com', zoneOf({ 'example.com': 'v=DMARC1; p=none' }))).toHaveLength(2);
  });

  it('discards records without the version at the start, and all of several records', async () => {
    const zone = zoneOf({
      'a.example.com': ['v=spf1 -all', 'v=DMARC1; p=none', 'v=dmarc1; p=reject'],
      'example.com': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    });
    const [own, parent] = await walk('a.example.com', zone);
    expect(own).toMatchObject({ record: { p: 'none' }, texts: ['v=DMARC1; p=none'], discarded: 'v=dmarc1; p=reject' });
    expect(parent).toMatchObject({ record: null, texts: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], discarded: null });
  });

  it('takes at most eight queries for any name', () => {
    const name = fc.array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(name, (labels) => {
        const domains = walkedDomains(labels.join('.'));
        expect(domains).toHaveLength(Math.min(labels.length, 8));
        expect(domains[0]).toBe(labels.join('.'));
        expect(domains.at(-1)).toBe(labels.at(-1));
        expect(new Set(domains).size).toBe(domains.length);
      }),
    );
  });
});

describe('the organisational domain (RFC 9989, section 4.10.2)', () => {
  const P = 'v=DMARC1; p=reject';

  it.each<[string, string, Record<string, string | string[]>, string]>([
    ['the shortest with a record', 'a.mail.example.com', { 'mail.example.com': P, 'example.com': P }, 'example.com'],
    ['the domain with the only record', 'a.mail.example.com', { 'mail.example.com': P }, 'mail.example.com'],
    ['itself without any record', 'a.mail.example.com', {}, 'a.mail.example.com'],
    ['the one that says so', 'a.b.example.com', { 'b.example.com': `${P}; psd=n`, 'example.com': P }, 'b.example.com'],
    ['itself if it says so', 'b.example.com', { 'b.example.com': `${P}; psd=n`, 'example.com': P }, 'b.example.com'],
    ['the one below a public suffix', 'a.giant.bank.example', { 'bank.example': `${P}; psd=y` }, 'giant.bank.example'],
    [
      'below a public suffix, without a record',
      'mega.bank.example',
      { 'bank.example': `${P}; psd=y` },
      'mega.bank.example',
    ],
    ['a public suffix for itself', 'bank.example', { 'bank.example': `${P}; psd=y`, example: P }, 'bank.example'],
    ['one label of a name that was cut', '1.2.3.4.5.6.7.8.9.example', { example: `${P}; psd=y` }, '9.example'],
    [
      'not one with several records',
      'a.example.com',
      { 'a.example.com': P, 'example.com': [P, `${P};`] },
      'a.example.com',
    ],
    ['a suffix that does not say what it is', 'a.example.com', { 'a.example.com': P, com: P }, 'com'],
  ])('is %s', async (_what, domain, records, organisation) => {
    expect(getOrganisationalDomain(await walk(domain, zoneOf(records)))).toBe(organisation);
  });

  it('is unknown when any answer of the walk is missing', async () => {
    const zone = { ...zoneOf({ 'a.example.com': P }), '_dmarc.com': 'timeout' as const };
    expect(getOrganisationalDomain(await walk('a.example.com', zone))).toBeNull();
  });
});

describe('the record that applies (RFC 9989, section 4.10.1)', () => {
  const P = 'v=DMARC1; p=reject';

  it.each<[string, string, Record<string, string | string[]>, string | null]>([
    ['its own', 'a.example.com', { 'a.example.com': P, 'example.com': P }, 'a.example.com'],
    ['that of its organisation', 'a.example.com', { 'example.com': P }, 'example.com'],
    ['none between the two', 'a.b.example.com', { 'b.example.com': P, 'example.com': P }, 'example.com'],
    ['that of the public suffix', 'a.example.com', { com: `${P}; psd=y` }, 'com'],
    [
      'rather of its organisation than of the suffix',
      'a.example.com',
      { 'example.com': P, com: `${P}; psd=y` },
      'example.com',
    ],
    ['none', 'a.example.com', {}, null],
    ['none of several', 'example.com', { 'example.com': [P, `${P};`] }, null],
  ])('is %s', async (_what, domain, records, found) => {
    expect(findApplicableStep(await walk(domain, zoneOf(records)))?.domain ?? null).toBe(found);
  });
});
