import {
  LAUNCH_CHECKS,
  type LaunchCheckName,
  launchChecks,
  type LaunchFacts,
  type LaunchVerdict,
} from './launch-checks';

const UNKNOWN = { spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' };
const ADA = { email: 'ada@mail.test', obstacle: null, dns: UNKNOWN };
const BOB = { email: 'bob@mail.test', obstacle: 'is paused', dns: UNKNOWN };

/** A campaign without faults, on a Monday at noon. */
const READY: LaunchFacts = {
  now: new Date('2026-11-23T12:00:00Z'),
  senders: [ADA],
  sequence: { steps: 2, faults: [] },
  activeLeads: 3,
  isVerifying: false,
  sample: { size: 3, lacking: new Map([['value for {{firstName}}', 0]]) },
  senderLacks: new Map(),
  schedule: { timezone: 'UTC', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] },
  includesUnsubscribeLink: true,
  publicUrl: 'https://mail.example.com',
};

const found = (more: Partial<LaunchFacts>, check: LaunchCheckName) =>
  launchChecks({ ...READY, ...more }).find((one) => one.check === check);
const withDns = (dns: Partial<typeof UNKNOWN>, obstacle: string | null = null) => ({
  senders: [
    { ...ADA, obstacle, dns: { ...UNKNOWN, ...dns } },
    { ...ADA, email: 'al@other.test' },
  ],
});
const lacking = (size: number, counts: Record<string, number>) => ({
  sample: { size, lacking: new Map(Object.entries(counts).map(([name, count]) => [`value for {{${name}}}`, count])) },
});
const at = (time: string) => ({ now: new Date(time) });

const CASES: readonly (readonly [string, Partial<LaunchFacts>, LaunchCheckName, LaunchVerdict, RegExp])[] = [
  ['one mailbox', {}, 'mailboxes', 'ok', /^1 mailbox can send$/],
  ['two mailboxes', { senders: [ADA, { ...BOB, obstacle: null }] }, 'mailboxes', 'ok', /^2 mailboxes can send$/],
  ['no mailbox', { senders: [] }, 'mailboxes', 'failed', /no mailbox to send from/],
  ['one paused mailbox', { senders: [BOB] }, 'mailboxes', 'failed', /^None .*: bob@mail\.test is paused$/],
  [
    'a paused mailbox and another one',
    { senders: [ADA, BOB] },
    'mailboxes',
    'warning',
    /^Some .*bob@mail\.test is paused$/,
  ],
  [
    'several mailboxes with different obstacles',
    { senders: [BOB, { ...ADA, obstacle: 'is disconnected' }] },
    'mailboxes',
    'failed',
    /bob@mail\.test is paused, ada@mail\.test is disconnected/,
  ],
  [
    'more obstacles than a message names',
    { senders: Array.from({ length: 12 }, (_, n) => ({ ...BOB, email: `b${n}@mail.test` })) },
    'mailboxes',
    'failed',
    /b9@mail\.test is paused, and 2 more$/,
  ],
  ['a sequence', {}, 'sequence', 'ok', /^2 steps$/],
  ['no sequence', { sequence: { steps: 0, faults: [] } }, 'sequence', 'failed', /no sequence/],
  [
    'a faulty sequence',
    { sequence: { steps: 1, faults: ['Step 1 has no subject'] } },
    'sequence',
    'failed',
    /no subject/,
  ],
  ['active leads', {}, 'leads', 'ok', /^3 active leads$/],
  ['no active lead', { activeLeads: 0 }, 'leads', 'failed', /no active lead/],
  ['leads that are being verified', { activeLeads: 0, isVerifying: true }, 'leads', 'warning', /being verified/],
  ['values for everything', {}, 'variables', 'ok', /Every placeholder/],
  [
    'a value that some leads lack',
    lacking(1_000, { city: 2 }),
    'variables',
    'warning',
    /^2 of 1000 sampled leads .*\{\{city\}\}/,
  ],
  [
    'a value that all leads lack',
    lacking(3, { city: 3, firstName: 1 }),
    'variables',
    'failed',
    /^No lead .*\{\{city\}\}/,
  ],
  ['an empty sample of leads', lacking(0, { city: 0 }), 'variables', 'ok', /Every placeholder/],
  [
    'a sender without a name if the name is used',
    { senderLacks: new Map([['value for {{senderName}}', { all: true }]]) },
    'variables',
    'failed',
    /^No mailbox has a value for \{\{senderName\}\}/,
  ],
  [
    'some senders without a name',
    { senderLacks: new Map([['value for {{senderName}}', { all: false }]]) },
    'variables',
    'warning',
    /^Some mailboxes have no value for \{\{senderName\}\}/,
  ],
  ['an open window', {}, 'schedule', 'ok', /now$/],
  ['a window tomorrow', at('2026-11-23T18:00:00Z'), 'schedule', 'ok', /from 2026-11-24T09:00:00\.000Z on$/],
  ['no working day', { schedule: { ...READY.schedule, workingDays: [] } }, 'schedule', 'failed', /next 14 days/],
  ['a public address', {}, 'unsubscribe', 'ok', /carry an unsubscribe link/],
  ['an address without encryption', { publicUrl: 'http://localhost:3000' }, 'unsubscribe', 'warning', /https only/],
  [
    'an address without encryption and no unsubscribe link',
    { publicUrl: 'http://localhost:3000', includesUnsubscribeLink: false },
    'unsubscribe',
    'ok',
    /no unsubscribe link/,
  ],
  ['unknown DNS records', {}, 'dns', 'ok', /^Nothing is known/],
  ['DNS that passes', withDns({ spf: 'pass', dkim: 'pass', dmarc: 'pass' }), 'dns', 'ok', /^Nothing is known/],
  ['SPF that fails', withDns({ spf: 'fail' }), 'dns', 'failed', /SPF of mail\.test;/],
  ['DKIM that fails', withDns({ dkim: 'fail', dmarc: 'fail' }), 'dns', 'failed', /DKIM of mail\.test;/],
  ['DMARC that fails', withDns({ dmarc: 'fail' }), 'dns', 'warning', /DMARC of mail\.test/],
  ['SPF with a warning', withDns({ spf: 'warn' }), 'dns', 'warning', /SPF of mail\.test/],
  ['bad DNS of a mailbox that does not send', withDns({ spf: 'fail' }, 'is paused'), 'dns', 'ok', /^Nothing/],
];

describe('the checks before a start', () => {
  it.each(CASES)('judge %s', (_what, more, check, status, message) => {
    expect(found(more, check)).toEqual({ check, status, message: expect.stringMatching(message) as unknown });
  });

  it('run all, whatever the others found, and always in the same order', () => {
    const nothing = launchChecks({ ...READY, senders: [], sequence: { steps: 0, faults: [] }, activeLeads: 0 });
    expect(nothing.map(({ check }) => check)).toEqual(LAUNCH_CHECKS);
    expect(nothing.filter(({ status }) => status === 'failed').map(({ check }) => check)).toEqual([
      'mailboxes',
      'sequence',
      'leads',
    ]);
  });

  it('find no fault in a complete campaign', () => {
    expect(launchChecks(READY).every(({ status }) => status === 'ok')).toBe(true);
  });

  it('accept a window that opens in a week, and in two weeks if a clock change skips one', () => {
    const weekly = { schedule: { ...READY.schedule, workingDays: [1] } };
    expect(found({ ...weekly, ...at('2026-11-24T12:00:00Z') }, 'schedule')).toMatchObject({ status: 'ok' });
    const skipped = { timezone: 'Europe/Berlin', startTime: '02:00', endTime: '02:30', workingDays: [7] };
    expect(found({ schedule: skipped, ...at('2026-03-22T12:00:00Z') }, 'schedule')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('2026-04-05T00:00') as unknown,
    });
  });
});
