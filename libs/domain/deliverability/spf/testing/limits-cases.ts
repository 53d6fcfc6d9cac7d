import { type SpfSection } from './spf-case';

const times = (count: number, term: string) => Array.from({ length: count }, () => term).join(' ');
const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `i${index}.example`,
      { TXT: [index + 1 < length ? `v=spf1 include:i${index + 1}.example ?all` : 'v=spf1 +all'] },
    ]),
  );
const mxHosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ priority: index, exchange: `m${index}.example` }));
const ptrNames = (good: number) => ({
  '1.2.0.192.in-addr.arpa': { PTR: Array.from({ length: 12 }, (_, index) => `p${index}.example.com`) },
  [`p${good}.example.com`]: { A: ['192.0.2.1'] },
});
const OTHER = { 'example.com': { A: ['192.0.2.2'], MX: [{ priority: 1, exchange: 'example.com' }] } } as const;

/** Processing limits (RFC 7208, section 4.6.4). */
export const LIMITS: readonly SpfSection[] = [
  {
    section: '4.6.4 DNS Lookup Limits: terms',
    cases: [
      {
        promise: '10 terms that look something up are fine',
        spf: `v=spf1 ${times(10, 'a')} ip4:192.0.2.1`,
        zone: OTHER,
        result: 'pass',
      },
      {
        promise: 'the 11th is a permerror',
        spf: `v=spf1 ${times(11, 'a')} ip4:192.0.2.1`,
        zone: OTHER,
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'the 11th does not count when a term before it matches',
        spf: `v=spf1 ${times(10, 'a')} ip4:192.0.2.1 a`,
        zone: OTHER,
        result: 'pass',
      },
      {
        promise: 'mx counts one, whatever its hosts',
        spf: `v=spf1 ${times(10, 'mx')} ip4:192.0.2.1`,
        zone: OTHER,
        result: 'pass',
      },
      {
        promise: 'a, mx, ptr, exists and include count together',
        spf: 'v=spf1 a a mx mx ptr ptr exists:no.example include:i0.example a:example.com mx:example.com ip4:192.0.2.1',
        zone: { ...OTHER, 'i0.example': { TXT: ['v=spf1 -all'] }, '1.2.0.192.in-addr.arpa': { PTR: ['host.example'] } },
        result: 'pass',
      },
      {
        promise: 'a, mx, ptr, exists and include count together, and the 11th of them is a permerror',
        spf: 'v=spf1 a a mx mx ptr ptr exists:no.example include:i0.example a:example.com mx:example.com a ip4:192.0.2.1',
        zone: { ...OTHER, 'i0.example': { TXT: ['v=spf1 -all'] }, '1.2.0.192.in-addr.arpa': { PTR: ['host.example'] } },
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'ip4, ip6 and all count nothing',
        spf: `v=spf1 ${times(50, 'ip4:198.51.100.1 ip6:2001:db8::1')} ${times(10, 'a')} -all`,
        zone: OTHER,
        result: 'fail',
      },
      {
        promise: 'a redirect counts',
        spf: `v=spf1 ${times(10, 'a')} redirect=i0.example`,
        zone: { ...OTHER, ...chain(1) },
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'a redirect can be the 10th',
        spf: `v=spf1 ${times(9, 'a')} redirect=i0.example`,
        zone: { ...OTHER, ...chain(1) },
        result: 'pass',
      },
      {
        promise: 'terms of included records count',
        spf: `v=spf1 ${times(5, 'a')} include:other.example +all`,
        zone: { ...OTHER, 'other.example': { TXT: [`v=spf1 ${times(5, 'a:example.com')} -all`] } },
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'includes within includes may be 10',
        spf: 'v=spf1 include:i0.example -all',
        zone: chain(10),
        result: 'pass',
      },
      {
        promise: 'includes within includes may not be 11',
        spf: 'v=spf1 include:i0.example -all',
        zone: chain(11),
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'a record that includes itself is a permerror',
        spf: 'v=spf1 include:example.com -all',
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'a record that redirects to itself is a permerror',
        spf: 'v=spf1 redirect=example.com',
        result: 'permerror',
        problem: 'too_many_lookups',
      },
      {
        promise: 'records that include each other are a permerror',
        spf: 'v=spf1 include:other.example -all',
        zone: { 'other.example': { TXT: ['v=spf1 include:example.com -all'] } },
        result: 'permerror',
      },
      {
        promise: '%{p} counts like a ptr',
        spf: `v=spf1 ${times(9, 'a')} exists:%{p}.example ip4:192.0.2.1`,
        zone: OTHER,
        result: 'permerror',
        problem: 'too_many_lookups',
      },
    ],
  },
  {
    section: '4.6.4 DNS Lookup Limits: void look-ups',
    cases: [
      {
        promise: 'two terms for which there is nothing are fine',
        spf: 'v=spf1 a:x.example a:y.example ip4:192.0.2.1',
        result: 'pass',
      },
      {
        promise: 'the third is a permerror',
        spf: 'v=spf1 a:x.example a:y.example a:z.example +all',
        result: 'permerror',
        problem: 'too_many_void_lookups',
      },
      {
        promise: 'the same name three times is three',
        spf: 'v=spf1 a:x.example a:x.example a:x.example +all',
        result: 'permerror',
      },
      {
        promise: 'a name without such records counts like none',
        spf: 'v=spf1 a:x.example mx:x.example exists:x.example +all',
        zone: { 'x.example': { TXT: ['there'] } },
        result: 'permerror',
        problem: 'too_many_void_lookups',
      },
      {
        promise: 'terms of included records count',
        spf: 'v=spf1 a:x.example include:other.example a:z.example +all',
        zone: { 'other.example': { TXT: ['v=spf1 a:y.example -all'] } },
        result: 'permerror',
        problem: 'too_many_void_lookups',
      },
      {
        promise: 'hosts of an mx do not count',
        spf: 'v=spf1 mx ip4:192.0.2.1',
        zone: { 'example.com': { MX: mxHosts(10) } },
        result: 'pass',
      },
      {
        promise: 'a reverse look-up without an answer is none',
        spf: 'v=spf1 ptr ptr ptr ip4:192.0.2.1',
        zone: { '1.2.0.192.in-addr.arpa': 'servfail' },
        result: 'pass',
      },
      {
        promise: 'a reverse look-up with an empty answer is one',
        spf: 'v=spf1 ptr ptr ptr ip4:192.0.2.1',
        result: 'permerror',
        problem: 'too_many_void_lookups',
      },
      {
        promise: 'names of a ptr do not count',
        spf: 'v=spf1 ptr ip4:192.0.2.1',
        zone: { '1.2.0.192.in-addr.arpa': { PTR: ['a.example', 'b.example', 'c.example'] } },
        result: 'pass',
      },
    ],
  },
  {
    section: '4.6.4 DNS Lookup Limits: hosts of mx and ptr',
    cases: [
      {
        promise: 'an mx may have 10 hosts',
        spf: 'v=spf1 mx -all',
        zone: { 'example.com': { MX: mxHosts(10) }, 'm9.example': { A: ['192.0.2.1'] } },
        result: 'pass',
      },
      {
        promise: 'an mx may not have 11 hosts',
        spf: 'v=spf1 mx +all',
        zone: { 'example.com': { MX: mxHosts(11) } },
        result: 'permerror',
        problem: 'too_many_mx_hosts',
      },
      { promise: 'the 10th reverse name counts', spf: 'v=spf1 ptr -all', zone: ptrNames(9), result: 'pass' },
      { promise: 'the 11th reverse name is ignored', spf: 'v=spf1 ptr -all', zone: ptrNames(10), result: 'fail' },
    ],
  },
];
