import { type ZoneTable } from '../fake/zone';

/** The zone data of the mail sandbox, see tools/mail-sandbox/zones. */
const SOA = { SOA: [{ primary: 'ns.sandbox.test', serial: 1, minimum: 60 }], NS: ['ns.sandbox.test'] };

const FILLING = 'All work and no play makes Jack a dull boy; '.repeat(5);

function parts(count: number, part: (number: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => part(index + 1));
}

/** The part of the mail sandbox's zones that the conformance suite queries, for drivers that do not read zone files. */
export const SANDBOX_ZONE: ZoneTable = {
  'sandbox.test': { ...SOA, MX: [{ priority: 10, exchange: 'mail.sandbox.test' }] },
  'mail.sandbox.test': { A: ['127.0.0.1'], AAAA: ['::1'] },
  'alias-1.sandbox.test': { CNAME: 'alias-2.sandbox.test' },
  'alias-2.sandbox.test': { CNAME: 'alias-3.sandbox.test' },
  'alias-3.sandbox.test': { CNAME: 'www.esp.test' },
  'dangling.sandbox.test': { CNAME: 'nothing.sandbox.test' },
  'outside.sandbox.test': { CNAME: 'www.example.com' },
  'loop-1.sandbox.test': { CNAME: 'loop-2.sandbox.test' },
  'loop-2.sandbox.test': { CNAME: 'loop-1.sandbox.test' },
  '*.wild.sandbox.test': { A: ['127.0.0.1'], TXT: ['found by a wildcard'] },
  'known.wild.sandbox.test': { TXT: ['not found by a wildcard'] },
  'only-a.sandbox.test': { A: ['192.0.2.1'] },
  'below.nothing-here.sandbox.test': { A: ['192.0.2.1'] },
  'one-second.sandbox.test': { A: ['192.0.2.1'], ttl: 1 },
  'no-time.sandbox.test': { A: ['192.0.2.1'], ttl: 0 },
  'parts.sandbox.test': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'empty-txt.sandbox.test': { TXT: [''] },
  'bytes.sandbox.test': { TXT: ['\0\u00c3\u00bc\u00ff"\\'] },
  'long-txt.sandbox.test': { TXT: [parts(8, (number) => `part ${number} of 8: ${FILLING}`).join('')] },
  'many-txt.sandbox.test': {
    TXT: parts(24, (number) => `record ${String(number).padStart(2, '0')} of 24: ${FILLING}`),
  },
  'esp.test': SOA,
  'www.esp.test': { A: ['192.0.2.101'], AAAA: ['2001:db8::101'] },
  'careless.test': {
    ...SOA,
    MX: [
      { priority: 10, exchange: 'mail.careless.test' },
      { priority: 20, exchange: 'backup.careless.test' },
      { priority: 30, exchange: 'gone.careless.test' },
    ],
  },
  'nomail.test': { ...SOA, MX: [{ priority: 0, exchange: '' }] },
  '2.0.192.in-addr.arpa': SOA,
  '25.2.0.192.in-addr.arpa': { PTR: ['mail.demo.test'] },
  'servfail.test': 'servfail',
  'www.example.com': 'refused',
};
