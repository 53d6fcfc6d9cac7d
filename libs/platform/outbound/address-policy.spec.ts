import fc from 'fast-check';
import { isAllowed, parseAddress, type OpenNetworks } from './address-policy';

function allowed(host: string, allowPrivate: OpenNetworks): boolean | 'name' {
  const address = parseAddress(host);
  return address === null ? 'name' : isAllowed(address, allowPrivate);
}

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
];

const PRIVATE = [
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.1',
  '127.255.255.255',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '[::ffff:10.0.0.1]',
  'fc00::1',
  'fd12:3456::1',
];

const NEVER = [
  ['169.254.169.254', 'link-local, metadata of most clouds'],
  ['2852039166', 'the same as a number'],
  ['::ffff:169.254.169.254', 'the same, mapped'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fe80::1%-', 'a zone that ipaddr.js does not read'],
  ['::1%lo', 'loopback with a zone'],
  ['::ffff:127.0.0.1%lo', 'mapped, with a zone'],
  ['[2606:4700::1111%2]', 'public with a zone'],
  ['fd00:ec2::254', 'metadata of AWS'],
  ['fd00:ec2::254%eth0', 'the same with a zone'],
  ['FD00:0EC2:0::0254', 'the same, spelt differently'],
  ['fd20:ce::254', 'metadata of Google'],
  ['100.100.100.200', 'metadata of Alibaba'],
  ['168.63.129.16', 'WireServer of Azure'],
  ['::ffff:168.63.129.16', 'the same, mapped'],
  ['0x646464c8', 'metadata of Alibaba as a number'],
  ['192.0.0.192', 'metadata of Oracle, in an IETF range'],
  ['0.0.0.0', 'unspecified'],
  ['0', 'unspecified as a number'],
  ['0.1.2.3', 'this network'],
  ['::', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['192.88.99.1', '6to4 relay'],
  ['2002:7f00:1::', '6to4'],
  ['2001::1', 'Teredo'],
  ['2001:20::1', 'ORCHID'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b::127.0.0.1', 'NAT64'],
  ['64:ff9b:1::a00:1', 'NAT64 of a local network'],
  ['::ffff:0:7f00:1', 'IPv4-translated'],
  ['::7f00:1', 'IPv4-compatible, which ipaddr.js calls unicast'],
  ['::a00:1', 'IPv4-compatible'],
  ['100::1', 'discard'],
  ['5f00::1', 'segment routing'],
  ['fec0::1', 'site-local'],
  ['4000::1', 'not allocated'],
] as const;

describe('the address policy', () => {
  it.each(PUBLIC)('always allows the public %s', (host) => {
    expect([allowed(host, false), allowed(host, true)]).toEqual([true, true]);
  });

  it.each(PRIVATE)('allows the private %s only if the operator does', (host) => {
    expect([allowed(host, false), allowed(host, true)]).toEqual([false, true]);
  });

  it.each(NEVER)('never allows %s (%s)', (host) => {
    expect([allowed(host, false), allowed(host, true)]).toEqual([false, false]);
  });

  it.each([
    'example.com',
    'localhost',
    '1.1.1.1.example',
    'a',
    'x7f.1',
    '1.2.3.4.5',
    '256.0.0.1',
    '[]',
    '',
    '::1::',
    '::1%',
    'a%eth0',
    '0x',
  ])('treats %j as a name', (host) => {
    expect(allowed(host, true)).toBe('name');
  });

  describe('when the operator allows some networks', () => {
    const open = ['10.20.0.0/16', '127.0.0.1/32', 'fd12:3456::/32', '169.254.0.0/16'];

    it.each(['10.20.0.1', '10.20.255.255', '0x0a140001', '127.0.0.1', '::ffff:10.20.3.4', 'fd12:3456:1::1', '1.1.1.1'])(
      'allows %s',
      (host) => {
        expect(allowed(host, open)).toBe(true);
      },
    );

    it.each(['10.21.0.1', '127.0.0.2', '192.168.0.1', '100.64.0.1', 'fd12:3457::1', '::1', '169.254.169.254'])(
      'does not allow %s',
      (host) => {
        expect(allowed(host, open)).toBe(false);
      },
    );

    it.each(NEVER)('never allows %s (%s), whatever the operator allows', (host) => {
      expect(allowed(host, ['0.0.0.0/0', '::/0'])).toBe(false);
    });
  });

  it('recognizes every spelling of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const spellings = [`${number}`, `0x${number.toString(16)}`, `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`];
        spellings.push(`::ffff:${ip}`, `[::ffff:${ip}]`, `${a}.${b}.${c * 256 + d}`);
        for (const spelling of spellings) expect(parseAddress(spelling)).toEqual(parseAddress(ip));
      }),
    );
  });

  it('allows no IPv6 address outside the IANA allocations, whatever IPv4 address it embeds', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'), (ip, prefix) => {
        const { hostname } = new URL(`http://[${prefix}${ip}]`);
        expect(allowed(hostname, false)).toBe(false);
      }),
    );
  });

  it('returns the address that was evaluated, in canonical spelling', () => {
    expect(parseAddress('0x7f.1')).toMatchObject({ address: '127.0.0.1', family: 4 });
    expect(parseAddress('[::ffff:1.1.1.1]')).toMatchObject({ address: '1.1.1.1', family: 4 });
    expect(parseAddress('[2606:4700:0::1111]')).toMatchObject({ address: '2606:4700::1111', family: 6 });
  });
});
