import { rounds } from '@testing';
import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import {
  parseClientAddress,
  toDotted,
  isIp4Network,
  isIp6Network,
  isWithin,
  readable,
  getReverseName,
} from './spf-address';

const pieces = fc
  .array(
    fc.constantFrom(':', '::', '0', '1', 'ffff', 'DB8', '12345', '192.0.2.1', '.', '01.2.3.4', '%1', 'g', '256.1.1.1'),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const groups = fc
  .array(fc.constantFrom('0', '1', 'ffff', 'DB8', '', '00000'), { minLength: 6, maxLength: 9 })
  .map((parts) => parts.join(':'));

describe('addresses in SPF', () => {
  it('are the addresses of the system, without zones', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, groups, fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        expect(isIp4Network(text)).toBe(isIPv4(text));
        expect(isIp6Network(text)).toBe(isIPv6(text) && !text.includes('%'));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it('are matched to networks by their bits', () => {
    fc.assert(
      fc.property(
        fc.ipV6(),
        fc.integer({ min: 0, max: 128 }),
        fc.integer({ min: 0, max: 127 }),
        (text, prefix, flipped) => {
          const client = parseClientAddress(text);
          fc.pre(client.kind() === 'ipv6');
          const bytes = client.toByteArray();
          bytes[flipped >> 3] = (bytes[flipped >> 3] ?? 0) ^ (0x80 >> (flipped & 7));
          const other = bytes.map((byte, index) => (index % 2 ? '' : ':') + byte.toString(16).padStart(2, '0'));
          expect(isWithin(client, other.join('').slice(1), prefix)).toBe(flipped >= prefix);
        },
      ),
    );
  });

  it.each([
    ['::ffff:192.0.2.1', 'ipv4', '192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', 'ipv4', '192.0.2.1', '192.0.2.1'],
    ['::192.0.2.1', 'ipv6', '::c000:201', `${'0.'.repeat(24)}c.0.0.0.0.2.0.1`],
    [
      '2001:DB8:0:0:1:0:0:1',
      'ipv6',
      '2001:db8::1:0:0:1',
      '2.0.0.1.0.d.b.8.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.0.0.0.0.0.0.0.0.1',
    ],
    ['fe80::1%eth0', 'ipv6', 'fe80::1', `f.e.8.0.${'0.'.repeat(27)}1`],
  ])('of a client %s are %s', (text, kind, people, dots) => {
    const client = parseClientAddress(text);
    expect([client.kind(), readable(client), toDotted(client)]).toEqual([kind, people, dots]);
  });

  it('have reverse names', () => {
    expect(getReverseName(parseClientAddress('192.0.2.1'))).toBe('1.2.0.192.in-addr.arpa');
    expect(getReverseName(parseClientAddress('2001:db8::1'))).toBe(`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`);
  });
});
