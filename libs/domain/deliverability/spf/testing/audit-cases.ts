import { type ZoneTable } from '../../../../adapters/dns/testing';

/** `count` domains below `name` that end in `-all`. */
export function providers(count: number, record = 'v=spf1 ip4:198.51.100.0/24 -all'): ZoneTable {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}.example`, { TXT: [record] }]));
}

/** Title, record, findings of the audit, and other records in DNS. */
type RecordRow = readonly [promise: string, text: string, codes: readonly string[], zone: ZoneTable];

export const RECORDS: readonly RecordRow[] = [
  ['lets everyone pass', 'v=spf1 +all', ['fail everyone_passes'], {}],
  ['lets everyone pass without a sign', 'v=spf1 all', ['fail everyone_passes'], {}],
  ['lets all of IPv4 pass', 'v=spf1 ip4:0.0.0.0/0 -all', ['fail everyone_passes'], {}],
  ['lets all of IPv6 pass', 'v=spf1 ip6:::/0 -all', ['fail everyone_passes'], {}],
  [
    'lets everyone pass by a prefix',
    'v=spf1 a/0 -all',
    ['fail everyone_passes'],
    { 'example.com': { A: ['192.0.2.1'] } },
  ],
  [
    'includes one that lets everyone pass',
    'v=spf1 include:p0.example -all',
    ['fail everyone_passes'],
    providers(1, 'v=spf1 +all'),
  ],
  [
    'redirects to one that lets everyone pass',
    'v=spf1 redirect=p0.example',
    ['fail everyone_passes'],
    providers(1, 'v=spf1 +all'),
  ],
  ['refuses whom an included record lets pass', 'v=spf1 -include:p0.example ~all', [], providers(1, 'v=spf1 +all')],
  ['refuses all of IPv4', 'v=spf1 ip6:2001:db8::/32 -ip4:0.0.0.0/0 -all', [], {}],
  ['names a very large network', 'v=spf1 ip4:10.0.0.0/8 -all', ['warn large_network'], {}],
  ['names a network of the size that providers have', 'v=spf1 ip4:52.100.0.0/14 ip6:2a01:111:f400::/48 -all', [], {}],
  ['ends neutral', 'v=spf1 ip4:192.0.2.1 ?all', ['warn neutral_all'], {}],
  ['does not end', 'v=spf1 ip4:192.0.2.1', ['warn no_all'], {}],
  [
    'redirects to one that does not end',
    'v=spf1 redirect=p0.example',
    ['warn no_all'],
    providers(1, 'v=spf1 ip4:192.0.2.1'),
  ],
  ['includes one that does not end', 'v=spf1 include:p0.example -all', [], providers(1, 'v=spf1 ip4:192.0.2.1')],
  ['includes one that ends neutral', 'v=spf1 include:p0.example -all', [], providers(1, 'v=spf1 ?all')],
  ['has terms after all', 'v=spf1 -all ip4:192.0.2.1', ['warn terms_after_all'], {}],
  [
    'has terms to look up after all, which cost nothing',
    'v=spf1 -all include:gone.example',
    ['warn terms_after_all'],
    {},
  ],
  ['has a redirect beside all', 'v=spf1 redirect=gone.example -all', ['warn redirect_ignored'], {}],
  ['uses ptr', 'v=spf1 ptr -all', ['warn ptr_mechanism'], {}],
  ['uses %{p}', 'v=spf1 exists:%{p}.x.example -all', ['warn ptr_macro', 'info depends_on_message'], {}],
  ['uses macros of the message', 'v=spf1 include:%{ir}.x.example -all', ['info depends_on_message'], {}],
  ['uses the macro of the domain', 'v=spf1 include:x.%{d} -all', [], { 'x.example.com': { TXT: ['v=spf1 -all'] } }],
  ['has an unknown modifier', 'v=spf1 x=y -all', ['info unknown_modifier'], {}],
  ['writes a mechanism as a modifier', 'v=spf1 ip4=192.0.2.1 -all', ['warn mechanism_as_modifier'], {}],
  [
    'looks the same up twice',
    'v=spf1 include:p0.example +include:p0.example -all',
    ['warn duplicate_term'],
    providers(1),
  ],
  ['names a host that does not exist', 'v=spf1 a:gone.example -all', ['warn void_lookup'], {}],
  ['names a host with IPv6 alone', 'v=spf1 a:six.example -all', [], { 'six.example': { AAAA: ['2001:db8::1'] } }],
  ['names a domain without MX', 'v=spf1 mx -all', ['warn void_lookup'], {}],
  ['asks whether something exists that does not', 'v=spf1 exists:gone.example -all', ['warn void_lookup'], {}],
  [
    'names two hosts that do not exist',
    'v=spf1 a:x.example a:y.example -all',
    ['warn void_lookup', 'warn void_lookup'],
    {},
  ],
  [
    'names three hosts that do not exist',
    'v=spf1 a:x.example mx:y.example exists:z.example -all',
    ['fail too_many_void_lookups', 'warn void_lookup', 'warn void_lookup', 'warn void_lookup'],
    {},
  ],
  ['names a host with an empty label', 'v=spf1 a:a..example -all', ['warn impossible_name'], {}],
  [
    'asks for more than 10 hosts of an mx',
    'v=spf1 mx -all',
    ['fail too_many_mx_hosts'],
    {
      'example.com': {
        MX: Array.from({ length: 11 }, (_, index) => ({ priority: index, exchange: `m${index}.example` })),
      },
    },
  ],
  ['includes a domain without a record', 'v=spf1 include:gone.example -all', ['fail include_without_record'], {}],
  ['redirects to a domain without a record', 'v=spf1 redirect=gone.example', ['fail include_without_record'], {}],
  [
    'includes a domain with two records',
    'v=spf1 include:two.example -all',
    ['fail multiple_records'],
    { 'two.example': { TXT: ['v=spf1', 'v=spf1'] } },
  ],
  [
    'includes a record with mistakes',
    'v=spf1 include:p0.example -all',
    ['fail syntax_error'],
    providers(1, 'v=spf1 foo bar'),
  ],
  ['includes itself', 'v=spf1 include:EXAMPLE.com -all', ['fail include_loop'], {}],
  [
    'includes one that includes it',
    'v=spf1 include:p0.example -all',
    ['fail include_loop'],
    providers(1, 'v=spf1 include:example.com -all'),
  ],
  [
    'includes two that include each other',
    'v=spf1 include:l.example -all',
    ['fail include_loop'],
    {
      'l.example': { TXT: ['v=spf1 include:r.example -all'] },
      'r.example': { TXT: ['v=spf1 include:l.example -all'] },
    },
  ],
  ['redirects to itself', 'v=spf1 redirect=example.com', ['fail include_loop'], {}],
  [
    'includes one twice by two ways, which is no loop',
    'v=spf1 include:l.example include:r.example -all',
    [],
    {
      'l.example': { TXT: ['v=spf1 include:p0.example -all'] },
      'r.example': { TXT: ['v=spf1 include:p0.example -all'] },
      ...providers(1),
    },
  ],
  ['has mistakes', 'v=spf1 ipv4:192.0.2.1 foo -all', ['fail syntax_error', 'fail syntax_error'], {}],
];
