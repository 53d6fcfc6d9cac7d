import { type DnsAnswer } from '@adapters/dns';
import { getSelfTestFinding } from './zone-self-check';

const zone = { codes: [{ answer: '127.0.0.2', means: 'abuse', label: 'spam' }] } as const;
const yes: DnsAnswer<string> = { kind: 'records', records: ['127.0.0.2'], ttl: 1 };
const no: DnsAnswer<string> = { kind: 'nxdomain', ttl: 1 };
const none: DnsAnswer<string> = { kind: 'timeout', message: 'no answer' };
const notUs: DnsAnswer<string> = { kind: 'records', records: ['127.255.255.254'], ttl: 1 };
const parked: DnsAnswer<string> = { kind: 'records', records: ['192.0.2.80'], ttl: 1 };

describe('the self-test of a zone (RFC 5782, section 5)', () => {
  it.each<[string, DnsAnswer<string>, DnsAnswer<string>, string]>([
    ['lists the one and not the other', yes, no, 'works'],
    ['answers the one with a code of its own', { kind: 'records', records: ['127.0.0.99'], ttl: 1 }, no, 'works'],
    ['lists neither', no, no, 'broken'],
    ['lists nothing and has nothing else', { kind: 'nodata', ttl: 1 }, no, 'broken'],
    ['lists both, as a wildcard does', yes, yes, 'broken'],
    ['answers everything with an address of the internet', parked, parked, 'broken'],
    ['answers the one with an address of the internet', parked, no, 'broken'],
    ['refuses both', notUs, notUs, 'refused'],
    ['refuses the one', notUs, no, 'refused'],
    ['is refused by its server', { kind: 'refused', message: 'REFUSED' }, no, 'refused'],
    ['does not answer the one', none, no, 'silent'],
    ['does not answer the other', yes, none, 'silent'],
    ['cannot be reached', { kind: 'unreachable', message: 'x' }, { kind: 'unreachable', message: 'x' }, 'silent'],
  ])('of a zone that %s', (_what, listed, clear, outcome) => {
    const finding = getSelfTestFinding(zone, { listed, clear });
    expect(finding.outcome).toBe(outcome);
    expect(finding.detail === null).toBe(outcome === 'works');
  });
});
