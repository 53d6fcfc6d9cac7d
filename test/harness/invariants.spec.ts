import { type CampaignRecord } from '@domain/campaigns';
import { type InboxReplyRecord } from '@domain/inbox';
import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { FakeClock } from '@testing';
import { Types } from 'mongoose';
import { answeredOnce } from './invariants-agents';
import { acceptedOnce, noLeadForgotten, nothingAfter, sentIfAccepted } from './invariants-delivery';
import { type AcceptedMail, type AgentReplyFacts, type HandoverMail, type SendingFacts } from './invariants-facts';
import { figuresRight } from './invariants-figures';
import { checkLimits } from './invariants-limits';
import { checkTenantMail, nothingLeaks } from './invariants-tenants';

/** A Monday. */
const NOON = new Date('2026-11-23T12:00:00.000Z');
const SECOND = 1_000;
const HOUR = 3_600_000;
const after = (ms: number) => new Date(NOON.getTime() + ms);
const MAILBOX = new Types.ObjectId();
const CAMPAIGN = new Types.ObjectId();
const STEP = new Types.ObjectId();
const SENDER = 'me@senders.test';
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };

interface Forged {
  /** Times at which the server got the first byte of each email, in milliseconds after noon. */
  at: readonly number[];
  campaign?: object;
  mailbox?: object;
  /** Changes the send of each email. */
  send?: object;
}

/** Facts without a violation: each email is for a lead of its own and claimed at its handover. */
function createFacts({ at, campaign = {}, mailbox = {}, send = {} }: Forged): SendingFacts {
  const sends = at.map((ms, index) => {
    const _id = new Types.ObjectId();
    return {
      _id,
      campaignId: CAMPAIGN,
      mailboxId: MAILBOX,
      leadId: new Types.ObjectId(),
      stepId: STEP,
      stepOrder: 0,
      email: `lead-${index}@leads.test`,
      messageId: `<${_id.toHexString()}@senders.test>`,
      state: 'sent',
      attempt: 1,
      claimedAt: after(ms),
      handoverAt: after(ms),
      ...send,
    } as SendRecord;
  });
  const mails = sends.map(({ messageId, email }, index) => {
    const time = after(at[index]!);
    return { from: SENDER, to: [email], messageId, at: time, dataAt: time };
  });
  return {
    campaigns: [
      {
        _id: CAMPAIGN,
        sendingSchedule: ALWAYS,
        dailyLimit: null,
        newLeadsPerDay: null,
        domainDailyLimit: null,
        emailIntervalMinutes: 0,
        useLeadTimezone: false,
        sequenceVersion: 1,
        ...campaign,
      } as CampaignRecord,
    ],
    mailboxes: [
      {
        _id: MAILBOX,
        email: SENDER,
        timezone: 'UTC',
        dailySendLimit: 100,
        sendGapSeconds: 0,
        ...mailbox,
      } as MailboxRecord,
    ],
    sends,
    given: mails,
    accepted: mails.map((mail) => ({ ...mail, time: mail.at.toISOString() }) as unknown as AcceptedMail),
    leads: sends.map(({ leadId, email }) => {
      const settled = { status: 'completed', stopReason: 'finished', sentCount: 1, sendId: null, dueAt: null };
      return { _id: leadId, campaignId: CAMPAIGN, email, ...settled } as LeadRecord;
    }),
    sequences: [{ campaignId: CAMPAIGN, version: 1, steps: [{ _id: STEP, order: 0 }] }],
    events: [],
    pendingEvents: [],
    shares: [],
    days: [],
    campaignDays: [],
    leases: [],
    replies: { records: [], accepted: [], unknown: [] },
    agentReplies: [],
  };
}

/** The same email was submitted and accepted once more. */
function again(one: SendingFacts, messageId: string): SendingFacts {
  const copy = <M extends { messageId: string }>(mails: readonly M[]) => [...mails, { ...mails[0]!, messageId }];
  return { ...one, given: copy(one.given), accepted: copy(one.accepted) };
}

describe('the checks of the invariants', () => {
  it('report nothing for valid facts', () => {
    const fine = createFacts({ at: [0, HOUR, 2 * HOUR], mailbox: { sendGapSeconds: 60, dailySendLimit: 3 } });
    const all = [...acceptedOnce(fine), ...sentIfAccepted(fine), ...noLeadForgotten(fine, { settled: true })];
    expect([...all, ...nothingAfter(fine, []), ...checkLimits(fine)]).toEqual([]);
  });

  it('1: find an email that was accepted twice, under its own Message-ID and under another', () => {
    const one = createFacts({ at: [0] });
    expect([...acceptedOnce(again(one, one.sends[0]!.messageId))].join()).toContain('accepted 2 times');
    expect([...acceptedOnce(again(one, '<other@senders.test>'))].join()).toContain('accepted without a send');
  });

  it('2: find a sent email that is not on the server, one on the server that is not sent, and a forgotten lead', () => {
    const one = createFacts({ at: [0] });
    expect([...sentIfAccepted({ ...one, accepted: [] })].join()).toContain('never accepted');
    expect([...sentIfAccepted(createFacts({ at: [0], send: { state: 'planned' } }))].join()).toContain('has accepted');
    const lead = Object.assign({}, one.leads[0], { status: 'active', stopReason: null });
    expect([...noLeadForgotten({ ...one, leads: [lead] }, { settled: false })].join()).toContain('forgotten');
  });

  it('3: find a lead that its mailbox has not counted, and count a lead once that was erased after two emails', () => {
    const leads = (newLeads: number, emails: number, send: object = { state: 'failed' }) => {
      const one = createFacts({ at: Array.from({ length: emails }, (_none, at) => at * HOUR), send });
      const sends = one.sends.map((send) => Object.assign({}, send, { leadId: one.sends[0]!.leadId }));
      const shares = [{ campaignId: CAMPAIGN, mailboxId: MAILBOX, newLeads, stats: {}, leads: {}, steps: {} }];
      const figures = figuresRight({ ...one, sends, leads: [], shares });
      return [...figures].filter((breach) => breach.includes('newLeads'));
    };
    expect(leads(0, 1).join()).toContain('newLeads is 0 and should be 1');
    expect(leads(1, 1)).toEqual([]);
    expect(leads(1, 2)).toEqual([]);
    expect(leads(2, 2).join()).toContain('newLeads is 2 and should be 1');
    // Released from `sending`: the server did not get it.
    expect(leads(0, 1, { state: 'retry', attempt: 0 })).toEqual([]);
    expect(leads(1, 1, { state: 'retry', attempt: 1 })).toEqual([]);
  });

  describe('1: an agent’s reply', () => {
    type Answer = Partial<AgentReplyFacts>;
    const ANSWER = new Types.ObjectId();
    const MAIL = new Types.ObjectId();
    const QUEUED = new Types.ObjectId();
    const handed: Answer = { _id: ANSWER, state: 'handed', answeredId: MAIL, position: 0, replyId: QUEUED };
    const queued = { _id: QUEUED, agentReplyId: ANSWER, state: 'queued' };
    const broken = (answers: readonly Answer[], records: readonly object[]) => {
      const replies = { records: records as InboxReplyRecord[], accepted: [], unknown: [] };
      return [
        ...answeredOnce({ ...createFacts({ at: [] }), agentReplies: answers as AgentReplyFacts[], replies }),
      ].join();
    };
    const other = () => ({ ...queued, _id: new Types.ObjectId() });

    it('is one inbox reply after its handover, and none before', () => {
      expect(broken([handed], [queued])).toBe('');
      expect(broken([{ ...handed, state: 'sent' }], [{ ...queued, state: 'sent' }])).toBe('');
      expect(broken([{ ...handed, state: 'planned', replyId: null }], [])).toBe('');
      expect(broken([{ ...handed, state: 'cancelled' }], [{ ...queued, state: 'cancelled' }])).toBe('');
      expect(broken([handed], [queued, { ...other(), state: 'cancelled' }])).toBe('');
      expect(broken([handed], [{ ...queued, state: 'failed' }])).toBe('');
    });

    it.each<[string, Answer[], object[], string]>([
      ['is handed over but not in the inbox', [handed], [], 'not in the inbox'],
      ['is in the inbox twice', [handed], [queued, other()], '2 in the inbox'],
      ['names another inbox reply', [{ ...handed, replyId: MAIL }], [queued], 'names another'],
      [
        'is sent although its inbox reply was cancelled',
        [{ ...handed, state: 'sent' }],
        [{ ...queued, state: 'cancelled' }],
        'not in the inbox',
      ],
      ['is cancelled but submitted', [{ ...handed, state: 'cancelled' }], [queued], 'is cancelled'],
      ['is not handed over yet but in the inbox', [{ ...handed, state: 'scheduled' }], [queued], 'is scheduled'],
      ['is unknown', [], [queued], 'no answer of an agent'],
    ])('is reported when it %s', (_name, answers, records, expected) => {
      expect(broken(answers, records)).toContain(expected);
    });

    it('is the only reply to its message, apart from follow-ups', () => {
      const second = { ...handed, _id: new Types.ObjectId(), replyId: new Types.ObjectId() };
      const both = [queued, { _id: second.replyId, agentReplyId: second._id, state: 'queued' }];
      expect(broken([handed, { ...second, position: 1 }], both)).toBe('');
      expect(broken([handed, second], both)).toContain('2 answers to message');
    });
  });

  describe('3: a reply that its server has rejected', () => {
    const UNKNOWN = '550 5.1.1 No such user';
    type Day = Partial<Record<'sent' | 'bounced' | 'failed', number>>;
    /** The mailbox had one rejected reply; its figures are given. */
    const broken = (
      reason: string,
      figures: Day,
      more: { at?: number; unknown?: string; totalBounced?: number } = {},
    ) => {
      const { at = 0, unknown = '', totalBounced = 0 } = more;
      const mailbox = { totalSent: 0, totalBounced };
      const record = { mailboxId: MAILBOX, state: 'failed', email: 'ann@leads.test', reason, updatedAt: after(at) };
      const replies = {
        records: [record as InboxReplyRecord],
        accepted: [],
        unknown: unknown === '' ? [] : [{ value: unknown, reason: UNKNOWN }],
      };
      const none = { sent: 0, opened: 0, clicked: 0, replied: 0, failed: 0, bounced: 0 };
      const days = [{ mailboxId: MAILBOX, day: '2026-11-23', ...none, ...figures }];
      return [...figuresRight({ ...createFacts({ at: [], mailbox }), replies, days })];
    };

    it('counts as failed on that day', () => {
      expect(broken('554 5.3.4 Too big', { failed: 1 })).toEqual([]);
      expect(broken('554 5.3.4 Too big', {})).toEqual([`3: ${SENDER} on 2026-11-23: failed is 0 and should be 1`]);
      expect(broken('554 5.3.4 Too big', { failed: 1 }, { at: 13 * HOUR })).toEqual([
        `3: ${SENDER} on 2026-11-23: failed is 1 and should be 0`,
        `3: ${SENDER} on 2026-11-24: failed is 0 and should be 1`,
      ]);
    });

    it('counts as a bounce, and not as failed, when the address is unknown', () => {
      const known = { unknown: 'ann@leads.test', totalBounced: 1 };
      expect(broken(UNKNOWN, { bounced: 1 }, known)).toEqual([]);
      expect(broken(UNKNOWN, { failed: 1 }, known).join()).toContain('bounced is 0 and should be 1');
      expect(broken(UNKNOWN, { bounced: 1 }, { ...known, totalBounced: 0 }).join()).toContain('totalBounced is 0');
      expect(broken(UNKNOWN, { bounced: 1 }, { ...known, unknown: 'bob@leads.test' }).join()).toContain('failed is 0');
    });
  });

  describe('6', () => {
    const pause = { what: 'a pause', at: NOON, forbids: () => true };
    const given = (dataAt: number, at: number, until?: Date) => {
      const one = createFacts({ at: [at] });
      const mails: HandoverMail[] = [{ ...one.given[0]!, dataAt: after(dataAt) }];
      // The times that the engine records are ignored: according to them it was in time.
      const sends = one.sends.map((send) =>
        Object.assign({}, send, { handoverAt: after(-HOUR), claimedAt: after(-HOUR) }),
      );
      return [...nothingAfter({ ...one, sends, given: mails }, [{ ...pause, ...(until && { until }) }])];
    };

    it('accepts an email that the server had before, and one in transit', () => {
      expect([...given(-2, -1), ...given(-1, 0), ...given(0, 900)]).toEqual([]);
    });

    it('finds a message that began after the acknowledgement, however fast, by the server’s clock', () => {
      expect(given(1, 2)).toEqual([expect.stringContaining('6: given away 2 ms after the acknowledgement of a pause')]);
    });

    it('finds a message for which the server had been waiting since before the acknowledgement', () => {
      expect(given(-1, 1_001)).toHaveLength(1);
    });

    it('finds it whatever the server answered', () => {
      const refused = { ...createFacts({ at: [5 * SECOND] }), accepted: [] };
      expect([...nothingAfter(refused, [pause])]).toHaveLength(1);
    });

    it('accepts an email after the reversal, and reports one before it', () => {
      expect(given(HOUR, HOUR, after(HOUR - 1))).toEqual([]);
      expect(given(HOUR, HOUR, after(HOUR))).toHaveLength(1);
    });

    it('finds a message without a record', () => {
      expect([...nothingAfter({ ...createFacts({ at: [0] }), sends: [] }, [])].join()).toContain('without a send');
    });
  });

  describe('7', () => {
    const broken = (forged: Forged) => [...checkLimits(createFacts(forged))].join('\n');

    it('finds a violated gap at the server, although it was kept between the claims', () => {
      const late = createFacts({ at: [50 * SECOND, 60 * SECOND], mailbox: { sendGapSeconds: 60 } });
      const sends = late.sends.map((send, index) => Object.assign({}, send, { claimedAt: after(index * 60 * SECOND) }));
      expect([...checkLimits({ ...late, sends })].join()).toContain('10000 ms between two, at least 60000 ms');
      expect(broken({ at: [0, 60 * SECOND], mailbox: { sendGapSeconds: 60 } })).toBe('');
    });

    it('counts rejected emails for the gap', () => {
      const refused = { ...createFacts({ at: [0, SECOND], mailbox: { sendGapSeconds: 60 } }), accepted: [] };
      expect([...checkLimits(refused)].join()).toContain('ms between two');
    });

    it('finds more emails than the mailbox’s limit in a day, and in 24 hours', () => {
      expect(broken({ at: [0, 1, 2], mailbox: { dailySendLimit: 2 } })).toContain('3 of 2 on 2026-11-23');
      const overnight = broken({ at: [11 * HOUR, 11.5 * HOUR, 13 * HOUR], mailbox: { dailySendLimit: 2 } });
      expect(overnight).toContain('in the 24 hours before');
      expect(overnight).not.toContain(' on ');
    });

    it('accepts an email that was claimed before midnight and arrived a moment later, and no more', () => {
      const mailbox = { dailySendLimit: 100 };
      const campaign = { dailyLimit: 1 };
      expect(broken({ at: [12 * HOUR + 5 * SECOND, 13 * HOUR], mailbox, campaign })).toBe('');
      expect(broken({ at: [12 * HOUR + 15 * SECOND, 13 * HOUR], mailbox, campaign })).toContain('2 of 1 on 2026-11-24');
    });

    it('finds an email outside its window, in the campaign’s time zone', () => {
      const sendingSchedule = { ...ALWAYS, timezone: 'Europe/Berlin', startTime: '09:00', endTime: '13:00' };
      expect(broken({ at: [-1], campaign: { sendingSchedule } })).toBe('');
      expect(broken({ at: [2 * SECOND], campaign: { sendingSchedule } })).toContain('the window is closed');
    });

    it.each([
      ['dailyLimit', 'campaign'],
      ['newLeadsPerDay', 'new leads'],
      ['domainDailyLimit', 'leads.test'],
    ])('finds that %s is exceeded', (limit, name) => {
      const found = broken({ at: [0, 1], campaign: { [limit]: 1 } });
      expect(found).toContain(name);
      expect(found).toContain('2 of 1 on 2026-11-23');
    });

    it('finds a violation of the campaign’s interval', () => {
      expect(broken({ at: [0, 60 * SECOND], campaign: { emailIntervalMinutes: 2 } })).toContain('at least 120000 ms');
    });

    it('counts emails that may have arrived, and excludes those that certainly have not', () => {
      const mailbox = { dailySendLimit: 1 };
      const lost = { ...createFacts({ at: [0, 1], mailbox, send: { state: 'ambiguous' } }), accepted: [] };
      expect([...checkLimits(lost)].join()).toContain('2 of 1');
      expect([
        ...checkLimits({ ...createFacts({ at: [0, 1], mailbox, send: { state: 'retry' } }), accepted: [] }),
      ]).toEqual([]);
    });
  });

  describe('8', () => {
    const tenant = { senders: [SENDER], recipients: ['ann@leads.test'], canary: 'canary-a' };
    const other = { senders: ['you@senders.test'], recipients: ['bob@leads.test'], canary: 'canary-b' };
    const mail = { from: SENDER, to: ['ann@leads.test'], messageId: '<1@senders.test>', raw: 'Hello canary-a' };
    const broken = (change: object) => [...checkTenantMail(tenant, [other], [{ ...mail, ...change }])].join();

    it('finds mail to another workspace’s leads, and mail with another workspace’s content', () => {
      expect(broken({})).toBe('');
      expect(broken({ to: ['bob@leads.test'] })).toContain('8: mail to another workspace');
      expect(broken({ raw: 'Hello' })).toContain('8: mail without');
      expect(broken({ raw: 'canary-a canary-b' })).toContain('8: mail with another');
    });

    it('finds a secret in any text', () => {
      const texts = [{ where: 'a log', text: 'login with hunter2 failed' }];
      expect([...nothingLeaks(texts, { 'a password': 'hunter2', 'a key': 'sk_1' })]).toEqual([
        '8: a password in a log',
      ]);
    });
  });
});

describe('the clock of the tests', () => {
  it('converts a server’s timestamp to the platform’s time', () => {
    jest.useFakeTimers({ now: NOON });
    const clock = new FakeClock();
    jest.setSystemTime(after(10));
    clock.advance(HOUR);
    jest.setSystemTime(after(20));
    clock.freeze(after(5 * HOUR));
    jest.setSystemTime(after(30));
    clock.reset();
    jest.useRealTimers();
    const shown = [5, 15, 25, 35].map((ms) => clock.shownAt(after(ms)));
    expect(shown).toEqual([after(5), after(HOUR + 15), after(5 * HOUR), after(35)]);
  });
});
