import { rounds } from '@testing';
import fc from 'fast-check';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { checkHost } from './spf-check';
import { ADDRESSES } from './testing/addresses-cases';
import { APPENDIX } from './testing/appendix-cases';
import { LIMITS } from './testing/limits-cases';
import { MACROS } from './testing/macros-cases';
import { MECHANISMS } from './testing/mechanisms-cases';
import { MODIFIERS } from './testing/modifiers-cases';
import { PROCESSING } from './testing/processing-cases';
import { askedBy, type SpfCase, getZone } from './testing/spf-case';
import { askOracle } from './testing/spf-oracle';

const CASES: readonly SpfCase[] = [
  ...PROCESSING,
  ...MECHANISMS,
  ...ADDRESSES,
  ...MODIFIERS,
  ...MACROS,
  ...LIMITS,
  ...APPENDIX,
].flatMap(({ cases }) => cases);
const RECEIVER = 'receiver.example.org';

const HOSTS = ['example.com', 'a.example', 'b.example', 'c.example', 'user.example.com', 'gone.example'];
const hosts = fc.constantFrom(...HOSTS);
const names = fc.oneof(
  { weight: 6, arbitrary: hosts },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%{d}', '%{o}', '%{l}.%{d2}', '%{ir}.%{v}.arpa', 'b.%{d1r-}', 'x%%y.example', 'bad'),
  },
);
const qualifiers = fc.constantFrom('', '', '+', '-', '~', '?');
const prefixes = fc.constantFrom('', '', '/24', '/0', '//64', '/24//64', '/33', '//129', '/08');
const terms = fc.oneof(
  fc
    .tuple(qualifiers, fc.constantFrom('include:', 'include:', 'exists:', 'ptr:'), names)
    .map((parts) => parts.join('')),
  fc.tuple(qualifiers, fc.constantFrom('a:', 'mx:'), names, prefixes).map((parts) => parts.join('')),
  fc.tuple(qualifiers, fc.constantFrom('a', 'mx', 'ptr', 'all'), fc.constant('')).map((parts) => parts.join('')),
  fc
    .tuple(qualifiers, fc.constantFrom('ip4:192.0.2.1', 'ip4:198.51.100.0/24', 'ip6:2001:db8::/32', 'ip4:1.2.3'))
    .map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('redirect=', 'exp=', 'x='), names).map((parts) => parts.join('')),
);
const records = fc.array(terms, { maxLength: 6 }).map((parts) => ['v=spf1', ...parts].join(' '));
const texts = fc.oneof(
  { weight: 8, arbitrary: records.map((record) => [record]) },
  { weight: 1, arbitrary: fc.constantFrom<string[]>([], ['hello'], ['v=spf1', 'v=spf1'], ['%{c} is not %{o}']) },
);
const addresses = fc.subarray(['192.0.2.1', '192.0.2.200', '198.51.100.7']);
const entries = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      TXT: texts,
      A: addresses,
      AAAA: fc.subarray(['2001:db8::1', '2001:db8:0:1::1']),
      MX: fc.subarray(HOSTS, { maxLength: 3 }).map((all) => all.map((exchange, priority) => ({ exchange, priority }))),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('timeout' as const, 'servfail' as const) },
);
const zones: fc.Arbitrary<ZoneTable> = fc
  .tuple(...HOSTS.slice(0, -1).map(() => entries), fc.subarray(HOSTS))
  .map((parts) => {
    const reverse = { PTR: parts.at(-1) as string[] };
    const table = Object.fromEntries(HOSTS.slice(0, -1).map((host, index) => [host, parts[index]]));
    return { ...table, '1.2.0.192.in-addr.arpa': reverse };
  });

describe('the evaluator and the library mailauth in its strict mode', () => {
  it.each(CASES.filter(({ mailauth }) => mailauth === undefined))('agree: $promise', async (given) => {
    const question = { ...askedBy(given), receiver: RECEIVER };
    const { result, explanation } = await askOracle(new ZoneDnsDriver(getZone(given)), question);
    expect(result).toBe(given.result);
    if (given.explanation !== undefined) expect(explanation).toBe(given.explanation);
  });

  it.each(CASES.filter(({ mailauth }) => mailauth !== undefined))(
    'differ, as decision 12 explains: $promise',
    async (given) => {
      const { result, explanation } = await askOracle(new ZoneDnsDriver(getZone(given)), askedBy(given));
      expect(result).toBe(given.mailauth);
      expect({ result, explanation }).not.toEqual({ result: given.result, explanation: given.explanation ?? null });
    },
  );

  it('agree on random zones and records', async () => {
    const seen = new Set<string>();
    const clients = fc.constantFrom('192.0.2.1', '198.51.100.7', '2001:db8::1', '::ffff:192.0.2.200');
    await fc.assert(
      fc.asyncProperty(zones, clients, async (zone, ip) => {
        const question = { ip, sender: 'user@example.com', helo: 'a.example', receiver: RECEIVER };
        const { result, explanation } = await checkHost(new ZoneDnsDriver(zone), question);
        expect({ result, explanation }).toEqual(await askOracle(new ZoneDnsDriver(zone), question));
        seen.add(result);
      }),
      { numRuns: rounds(1_000), seed: 7208 },
    );
    expect([...seen].toSorted()).toEqual(['fail', 'neutral', 'none', 'pass', 'permerror', 'softfail', 'temperror']);
  });
});
