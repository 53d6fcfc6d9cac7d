import { STANDARD_TEST_POINTS } from '../zones/zone';
import { listingName, type Subject } from './listing-name';

const zone = { suffix: 'bl.example' };

describe('the name under which a zone lists a subject', () => {
  it.each<[Subject['kind'], string, string]>([
    ['ipv4', '192.0.2.99', '99.2.0.192.bl.example'],
    ['ipv4', '127.0.0.2', '2.0.0.127.bl.example'],
    // The example of RFC 5782, section 2.4.
    ['ipv6', '2001:db8:1:2:3:4:567:89ab', 'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2.bl.example'],
    ['ipv6', '2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.bl.example'],
    ['domain', 'example.com', 'example.com.bl.example'],
    ['domain', 'xn--bcher-kva.example', 'xn--bcher-kva.example.bl.example'],
  ])('of an %s subject %s is %s', (kind, subject, expected) => {
    expect(listingName({ subject, kind }, zone)).toBe(expected);
  });

  it('matches the standard test points of RFC 5782', () => {
    const names = ['::ffff:7f00:2', '::ffff:7f00:1'].map((subject) => listingName({ subject, kind: 'ipv6' }, zone));
    expect(names).toEqual(
      [STANDARD_TEST_POINTS.ipv6.listed, STANDARD_TEST_POINTS.ipv6.clear].map((point) => `${point}.bl.example`),
    );
    expect(listingName({ subject: '127.0.0.2', kind: 'ipv4' }, zone)).toBe(
      `${STANDARD_TEST_POINTS.ipv4.listed}.bl.example`,
    );
  });

  it('is null when DNS does not allow the name', () => {
    const long = Array.from({ length: 4 }, () => 'a'.repeat(60)).join('.');
    const fits = long.slice(0, 253 - zone.suffix.length - 1);
    expect(listingName({ subject: long, kind: 'domain' }, zone)).toBeNull();
    expect(listingName({ subject: fits, kind: 'domain' }, zone)).toHaveLength(253);
    expect(listingName({ subject: `${fits}a`, kind: 'domain' }, zone)).toBeNull();
  });
});
