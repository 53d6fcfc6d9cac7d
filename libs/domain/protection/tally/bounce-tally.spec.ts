import { type EmailFate, getSubjects, getTallies, getWindowStart } from './bounce-tally';

const NOON = new Date('2026-11-25T12:00:00.000Z');
const DAY = new Date('2026-11-25T00:00:00.000Z');
const fate = (more: Partial<EmailFate> = {}): EmailFate => ({
  sentAt: NOON,
  sends: 1,
  bounces: 0,
  campaignId: 'c',
  mailboxId: 'm',
  sender: 'grace@senders.test',
  ...more,
});

describe('an email', () => {
  it('counts for its campaign, its mailbox and its domain', () => {
    expect(getSubjects(fate())).toEqual([
      { kind: 'campaign', key: 'c' },
      { kind: 'mailbox', key: 'm' },
      { kind: 'domain', key: 'senders.test' },
    ]);
  });

  it('says nothing of a domain that everybody writes from', () => {
    expect(getSubjects(fate({ sender: 'grace@gmail.com' })).map(({ kind }) => kind)).toEqual(['campaign', 'mailbox']);
  });

  it('counts for its campaign when its mailbox is gone', () => {
    expect(getSubjects(fate({ sender: null, mailboxId: null }))).toEqual([{ kind: 'campaign', key: 'c' }]);
  });
});

describe('emails', () => {
  const only = { mailboxId: null, sender: null };

  it('are added up by the day of UTC on which they were sent', () => {
    const late = new Date(DAY.getTime() - 1);
    const fates = [fate(only), fate({ ...only, sends: 0, bounces: 1 }), fate({ ...only, sentAt: late })];
    expect(getTallies(fates, new Map())).toEqual([
      { subject: 'campaign:c', since: null, day: DAY, sends: 1, bounces: 1 },
      { subject: 'campaign:c', since: null, day: new Date('2026-11-24T00:00:00.000Z'), sends: 1, bounces: 0 },
    ]);
  });

  it('count no more when a person has looked at their subject since', () => {
    const since = new Map([['campaign:c', NOON]]);
    const before = fate({ ...only, sends: 0, bounces: 1 });
    const after = fate({ ...only, sentAt: new Date(NOON.getTime() + 1) });
    expect(getTallies([before, after], since)).toEqual([
      { subject: 'campaign:c', since: NOON, day: DAY, sends: 1, bounces: 0 },
    ]);
  });
});

it('28 days end with the present one', () => {
  expect(getWindowStart(NOON)).toEqual(new Date('2026-10-29T00:00:00.000Z'));
});
