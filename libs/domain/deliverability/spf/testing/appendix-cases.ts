import { type ZoneTable } from '../../../../adapters/dns/testing';
import { type SpfCase, type SpfSection } from './spf-case';

const reverse = (...hosts: readonly (readonly [address: string, name: string])[]): ZoneTable =>
  Object.fromEntries(
    hosts.map(([address, name]) => [`${address.split('.').toReversed().join('.')}.in-addr.arpa`, { PTR: [name] }]),
  );

/** The zones of the examples in RFC 7208, appendix A. */
const ZONE: ZoneTable = {
  'example.com': {
    MX: [
      { priority: 10, exchange: 'mail-a.example.com' },
      { priority: 20, exchange: 'mail-b.example.com' },
    ],
    A: ['192.0.2.10', '192.0.2.11'],
  },
  'amy.example.com': { A: ['192.0.2.65'] },
  'bob.example.com': { A: ['192.0.2.66'] },
  'mail-a.example.com': { A: ['192.0.2.129'] },
  'mail-b.example.com': { A: ['192.0.2.130'] },
  'www.example.com': { CNAME: 'example.com' },
  'example.org': { MX: [{ priority: 10, exchange: 'mail-c.example.org' }] },
  'mail-c.example.org': { A: ['192.0.2.140'] },
  ...reverse(
    ['192.0.2.10', 'example.com'],
    ['192.0.2.11', 'example.com'],
    ['192.0.2.65', 'amy.example.com'],
    ['192.0.2.66', 'bob.example.com'],
    ['192.0.2.129', 'mail-a.example.com'],
    ['192.0.2.130', 'mail-b.example.com'],
    ['192.0.2.140', 'mail-c.example.org'],
    // A client with a forged name.
    ['10.0.0.4', 'bob.example.com'],
  ),
};

const HOSTS = [
  '192.0.2.10',
  '192.0.2.11',
  '192.0.2.65',
  '192.0.2.66',
  '192.0.2.129',
  '192.0.2.130',
  '192.0.2.140',
  '10.0.0.4',
];

/** One case for each host of the zones: those named pass, the others do not. */
function lets(spf: string, ...passing: readonly string[]): readonly SpfCase[] {
  return HOSTS.map((ip) => {
    const result = passing.includes(ip) ? 'pass' : 'fail';
    return { promise: `"${spf}" is ${result} for ${ip}`, spf, ip, zone: ZONE, result };
  });
}

const DELEGATED: ZoneTable = {
  'example.com': { MX: [{ priority: 10, exchange: 'mail-a.example.com' }] },
  'mail-a.example.com': { A: ['192.0.2.129'] },
  'mobile-users._spf.example.com': { TXT: ['v=spf1 exists:%{l1r+}.%{d}'] },
  'mary.mobile-users._spf.example.com': { A: ['127.0.0.2'] },
  'fred.mobile-users._spf.example.com': { A: ['127.0.0.2'] },
  'remote-users._spf.example.com': { TXT: ['v=spf1 exists:%{ir}.%{l1r+}.%{d}'] },
  '15.15.168.192.joel.remote-users._spf.example.com': { A: ['127.0.0.2'] },
};
const LISTED = 'v=spf1 mx include:mobile-users._spf.%{d} include:remote-users._spf.%{d} -all';

const BOTH: ZoneTable = {
  ...ZONE,
  'ip4._spf.example.com': { TXT: ['v=spf1 -ip4:192.0.2.0/24 +all'] },
  'ptr._spf.example.com': { TXT: ['v=spf1 -ptr:example.com +all'] },
};
const REQUIREMENTS = 'v=spf1 -include:ip4._spf.%{d} -include:ptr._spf.%{d} +all';

/** The extended examples of RFC 7208, appendix A. */
export const APPENDIX: readonly SpfSection[] = [
  {
    section: 'A.1 Simple Examples',
    cases: [
      ...lets('v=spf1 +all', ...HOSTS),
      ...lets('v=spf1 a -all', '192.0.2.10', '192.0.2.11'),
      ...lets('v=spf1 a:example.org -all'),
      ...lets('v=spf1 mx -all', '192.0.2.129', '192.0.2.130'),
      ...lets('v=spf1 mx:example.org -all', '192.0.2.140'),
      ...lets('v=spf1 mx mx:example.org -all', '192.0.2.129', '192.0.2.130', '192.0.2.140'),
      ...lets('v=spf1 mx/30 mx:example.org/30 -all', '192.0.2.129', '192.0.2.130', '192.0.2.140'),
      ...lets('v=spf1 ptr -all', '192.0.2.10', '192.0.2.11', '192.0.2.65', '192.0.2.66', '192.0.2.129', '192.0.2.130'),
      ...lets('v=spf1 ip4:192.0.2.128/28 -all', '192.0.2.129', '192.0.2.130', '192.0.2.140'),
      ...lets('v=spf1 a:www.example.com -all', '192.0.2.10', '192.0.2.11'),
    ],
  },
  {
    section: 'A.2 Multiple Domain Example',
    cases: ['192.0.2.129', '198.51.100.9'].flatMap((ip): readonly SpfCase[] => {
      const zone: ZoneTable = {
        ...ZONE,
        'example.org': { TXT: ['v=spf1 include:example.com include:example.net -all'] },
        'la.example.org': { TXT: ['v=spf1 redirect=example.org'] },
        'example.com': { ...(ZONE['example.com'] as object), TXT: ['v=spf1 mx -all'] },
        'example.net': { TXT: ['v=spf1 ip4:203.0.113.0/24 -all'] },
      };
      const result = ip === '192.0.2.129' ? 'pass' : 'fail';
      return ['example.org', 'la.example.org'].map((domain) => {
        return { promise: `${ip} is ${result} for ${domain}`, ip, from: `user@${domain}`, zone, result };
      });
    }),
  },
  {
    section: 'A.3 DNS Blacklist (DNSBL) Style Example',
    cases: [
      {
        promise: 'a mobile user may send from anywhere',
        from: 'mary+news@example.com',
        spf: LISTED,
        zone: DELEGATED,
        result: 'pass',
      },
      {
        promise: 'a remote user may send from home',
        ip: '192.168.15.15',
        from: 'joel@example.com',
        spf: LISTED,
        zone: DELEGATED,
        result: 'pass',
      },
      {
        promise: 'a remote user may not send from elsewhere',
        ip: '192.168.15.16',
        from: 'joel@example.com',
        spf: LISTED,
        zone: DELEGATED,
        result: 'fail',
      },
    ],
  },
  {
    section: 'A.4 Multiple Requirements Example',
    cases: [
      {
        promise: 'a host of the network and of the domain passes',
        ip: '192.0.2.65',
        spf: REQUIREMENTS,
        zone: BOTH,
        result: 'pass',
      },
      {
        promise: 'a host of the network alone fails',
        ip: '192.0.2.140',
        spf: REQUIREMENTS,
        zone: BOTH,
        result: 'fail',
        mechanism: '-include:ptr._spf.%{d}',
      },
      {
        promise: 'a host of neither fails',
        ip: '10.0.0.4',
        spf: REQUIREMENTS,
        zone: BOTH,
        result: 'fail',
        mechanism: '-include:ip4._spf.%{d}',
      },
    ],
  },
];
