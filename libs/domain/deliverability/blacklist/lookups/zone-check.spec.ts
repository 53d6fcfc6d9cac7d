import { type DnsAnswer } from '@adapters/dns';
import { defaultZones } from '../zones/default-zones';
import { type ZoneCode } from '../zones/zone-code';
import { getVerdict } from './zone-check';

const answered = (...records: string[]): DnsAnswer<string> => ({ kind: 'records', records, ttl: 60 });
const plain = { codes: [] };
const codesOf = (zone: string): readonly ZoneCode[] => defaultZones.value.find((one) => one.zone === zone)?.codes ?? [];

describe('the answer of a zone about a subject', () => {
  it.each<DnsAnswer<string>>([
    { kind: 'nxdomain', ttl: 1 },
    { kind: 'nodata', ttl: 1 },
  ])('is clear by $kind', (answer) => {
    expect(getVerdict(plain, answer)).toEqual({
      result: 'clear',
      listing: null,
      codes: [],
      meaning: null,
      cause: null,
    });
  });

  it.each(['servfail', 'timeout', 'malformed', 'unreachable'] as const)(
    'is unknown and counts as silence with %s',
    (kind) => {
      expect(getVerdict(plain, { kind, message: 'so' })).toMatchObject({ result: 'unknown', cause: 'silent' });
    },
  );

  it('is unknown and does not count as silence when the server refuses', () => {
    expect(getVerdict(plain, { kind: 'refused', message: 'no' })).toMatchObject({
      result: 'unknown',
      cause: 'refused',
    });
  });

  it.each<[string, string[], string, string | null]>([
    ['zen.spamhaus.org', ['127.0.0.2'], 'listed', 'abuse'],
    ['zen.spamhaus.org', ['127.0.0.3', '127.0.0.4'], 'listed', 'abuse'],
    ['zen.spamhaus.org', ['127.0.0.7'], 'listed', 'abuse'],
    ['zen.spamhaus.org', ['127.0.0.9'], 'listed', 'abuse'],
    ['zen.spamhaus.org', ['127.0.0.10'], 'listed', 'policy'],
    ['zen.spamhaus.org', ['127.0.0.11', '127.0.0.2'], 'listed', 'abuse'],
    ['zen.spamhaus.org', ['127.0.0.8'], 'unknown', null],
    ['zen.spamhaus.org', ['127.255.255.252'], 'unknown', null],
    ['zen.spamhaus.org', ['127.255.255.254'], 'unknown', null],
    ['zen.spamhaus.org', ['127.255.255.255'], 'unknown', null],
    ['zen.spamhaus.org', ['192.0.2.1'], 'zone_broken', null],
    ['zen.spamhaus.org', ['127.0.0.2', '192.0.2.1'], 'zone_broken', null],
    ['dbl.spamhaus.org', ['127.0.1.2'], 'listed', 'abuse'],
    ['dbl.spamhaus.org', ['127.0.1.104'], 'listed', 'abuse'],
    ['dbl.spamhaus.org', ['127.0.1.255'], 'unknown', null],
    ['multi.uribl.com', ['127.0.0.1'], 'unknown', null],
    ['multi.uribl.com', ['127.0.0.2'], 'listed', 'abuse'],
    ['multi.uribl.com', ['127.0.0.4'], 'listed', 'policy'],
    ['multi.uribl.com', ['127.0.0.6'], 'listed', 'abuse'],
    ['multi.surbl.org', ['127.0.0.64'], 'listed', 'abuse'],
    ['multi.surbl.org', ['127.0.0.1'], 'unknown', null],
    ['multi.surbl.org', ['127.0.0.2'], 'unknown', null],
    ['b.barracudacentral.org', ['127.0.0.2'], 'listed', 'abuse'],
    ['psbl.surriel.com', ['127.0.0.2'], 'listed', 'abuse'],
    ['psbl.surriel.com', ['127.9.9.9'], 'listed', 'abuse'],
    ['psbl.surriel.com', ['127.0.0.1'], 'unknown', null],
    ['psbl.surriel.com', ['127.255.255.254'], 'unknown', null],
    ['psbl.surriel.com', ['127.255.255.7', '127.0.0.2'], 'listed', 'abuse'],
  ])('in %s, which returns %j, is %s (%s)', (zone, records, result, listing) => {
    const verdict = getVerdict({ codes: codesOf(zone) }, answered(...records));
    expect(verdict).toMatchObject({ result, listing, codes: records });
    expect(verdict.meaning).toMatch(/./);
  });

  it('names each meaning of a listing once', () => {
    const { meaning } = getVerdict(
      { codes: codesOf('zen.spamhaus.org') },
      answered('127.0.0.4', '127.0.0.5', '127.0.0.2'),
    );
    expect(meaning).toBe('XBL: infected or abused machine; SBL: source of spam');
  });

  it('is clear for a code that the zone declares as no listing', () => {
    const codes: ZoneCode[] = [{ answer: '127.0.0.100', means: 'clear', label: 'in good standing' }];
    expect(getVerdict({ codes }, answered('127.0.0.100'))).toMatchObject({
      result: 'clear',
      meaning: 'in good standing',
    });
  });

  it('is a listing for 127.0.0.1 only when the zone declares it', () => {
    const codes: ZoneCode[] = [{ answer: '127.0.0.1', means: 'abuse', label: 'ours' }];
    expect(getVerdict({ codes }, answered('127.0.0.1'))).toMatchObject({ result: 'listed', meaning: 'ours' });
  });

  it('keeps at most ten codes, and ignores invalid addresses', () => {
    const many = Array.from({ length: 30 }, (_, at) => `127.0.0.${at + 2}`);
    expect(getVerdict(plain, answered(...many)).codes).toHaveLength(10);
    const late = [...Array.from({ length: 12 }, (_, at) => `127.0.2.${at}`), '127.0.0.2'];
    expect(getVerdict({ codes: codesOf('zen.spamhaus.org') }, answered(...late)).result).toBe('listed');
    expect(getVerdict(plain, answered('::1')).result).toBe('zone_broken');
    expect(getVerdict(plain, answered('127.1')).result).toBe('zone_broken');
  });
});
