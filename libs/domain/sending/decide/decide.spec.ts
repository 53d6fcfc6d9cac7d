import { decideSend } from './decide';
import { type CampaignFacts, type LeadFacts, type MailboxFacts } from './facts';
import { at, campaignFacts, NOW, describeDecision, sendingFacts } from './testing/facts';

interface Differences {
  now?: Date;
  mailbox?: Partial<MailboxFacts>;
  campaign?: Partial<CampaignFacts>;
  lead?: Partial<LeadFacts>;
}
type Case = [name: string, given: Differences, expected: string];

const TODAY = '2026-11-20';
/** The window of the next working day: Monday, 09:00 in Berlin. */
const MONDAY = '2026-11-23T08:00:00.000Z';
const followUp = { isNew: false };

/** Slots of yesterday with their use, by the time at which they begin. */
function yesterday(...slots: [time: string, used: number][]) {
  return slots.map(([time, used]) => ({ at: at(time, -1), used }));
}

const sends: Case[] = [
  ['a new lead that is due', {}, 'send'],
  ['a follow-up that is due', { lead: followUp }, 'send'],
  ['a lead that was due long ago', { lead: { dueAt: at('09:00:00', -30) } }, 'send'],
  ['a new lead whatever its sender', { lead: { senderIsThisMailbox: false } }, 'send'],
  [
    'a paused lead whose resume date has passed',
    { lead: { status: 'paused', stopReason: 'auto_replied', resumeAt: NOW } },
    'send',
  ],
  ['at the first moment of the window', { now: at('08:00:00'), lead: { dueAt: at('08:00:00') } }, 'send'],
  ['at the last moment of the window', { now: at('15:59:59.999') }, 'send'],
  ['when the gap has just passed', { mailbox: { lastSentAt: at('08:59:00') } }, 'send'],
  ['right after another where there is no gap', { mailbox: { lastSentAt: NOW, gapSeconds: 0 } }, 'send'],
  ['when the interval has just passed', { campaign: { nextAt: NOW } }, 'send'],
  ['the last email of the mailbox day', { mailbox: { day: TODAY, dayUsed: 9 } }, 'send'],
  [
    'the last email besides warmup’s share',
    { mailbox: { day: TODAY, dayUsed: 3, warmupShare: { mails: 6, weekdaysOnly: false } } },
    'send',
  ],
  [
    'the last email besides the rest of warmup’s share',
    { mailbox: { day: TODAY, dayUsed: 5, dayWarmup: 2, warmupShare: { mails: 6, weekdaysOnly: false } } },
    'send',
  ],
  [
    'the last email besides a warmup that has exceeded its share',
    { mailbox: { day: TODAY, dayUsed: 9, dayWarmup: 7, warmupShare: { mails: 6, weekdaysOnly: false } } },
    'send',
  ],
  ['the first email of a new mailbox day', { mailbox: { day: '2026-11-19', dayUsed: 10 } }, 'send'],
  ['when the whole slot is 24 hours ago', { mailbox: { slots: yesterday(['08:55:00', 10]) } }, 'send'],
  [
    'the 30th email of a minute',
    { mailbox: { perMinuteLimit: 30, recent: Array<Date>(29).fill(at('08:59:30')) } },
    'send',
  ],
  ['when the minute has just passed', { mailbox: { perMinuteLimit: 1, recent: [at('08:59:00')] } }, 'send'],
  [
    'any number of emails a minute without a limit of the provider',
    { mailbox: { recent: Array<Date>(99).fill(at('08:59:30')) } },
    'send',
  ],
  ['a retry of a mailbox with an error', { mailbox: { status: 'error', retryAt: NOW } }, 'send'],
  ['a retry of a disconnected mailbox', { mailbox: { status: 'disconnected', retryAt: at('08:00:00') } }, 'send'],
  ['the last email of the campaign day', { campaign: { dailyLimit: 5, usedToday: { day: TODAY, used: 4 } } }, 'send'],
  [
    'the first email of a new campaign day',
    { campaign: { dailyLimit: 5, usedToday: { day: '2026-11-19', used: 5 } } },
    'send',
  ],
  [
    'a follow-up when new leads are used up',
    { lead: followUp, campaign: { newLeadsPerDay: 1, newLeadsToday: { day: TODAY, used: 1 } } },
    'send',
  ],
  ['a follow-up of a campaign without new leads', { lead: followUp, campaign: { newLeadsPerDay: 0 } }, 'send'],
  [
    'a free-mail domain whatever its count',
    { lead: { freeMail: true, domainUsedToday: { day: TODAY, used: 9 } }, campaign: { domainDailyLimit: 2 } },
    'send',
  ],
  ['a domain without a limit', { lead: { domainUsedToday: { day: TODAY, used: 9 } } }, 'send'],
  [
    'a lead whose own zone is in the window',
    {
      now: at('03:00:00'),
      lead: { timezone: 'Asia/Tokyo', dueAt: at('02:00:00') },
      campaign: { useLeadTimezone: true },
    },
    'send',
  ],
];

const stops: Case[] = [
  ['a lead that has finished', { lead: { status: 'completed', stopReason: 'finished' } }, 'stop finished'],
  ['a lead that has replied', { lead: { status: 'completed', stopReason: 'replied' } }, 'stop replied'],
  [
    'a lead that has unsubscribed, its address now suppressed',
    { lead: { status: 'completed', stopReason: 'unsubscribed', suppressed: true } },
    'stop unsubscribed',
  ],
  ['a lead that bounced', { lead: { status: 'bounced', stopReason: 'bounced_soft_limit' } }, 'stop bounced_soft_limit'],
  ['a lead that bounced without a reason', { lead: { status: 'bounced' } }, 'stop bounced_hard'],
  ['a lead that was removed', { lead: { status: 'removed' } }, 'stop manual'],
  ['a suppressed lead', { lead: { suppressed: true } }, 'stop suppressed'],
  ['a suppressed lead that is paused', { lead: { suppressed: true, status: 'paused' } }, 'stop suppressed'],
  [
    'a suppressed lead of a paused campaign',
    { lead: { suppressed: true }, campaign: { status: 'paused' } },
    'stop suppressed',
  ],
  ['a suppressed lead that is not due', { lead: { suppressed: true, dueAt: at('09:00:00', 3) } }, 'stop suppressed'],
  ['a lead without a further step', { lead: { hasNextStep: false, isNew: false } }, 'stop finished'],
  ['a lead that lacks a value', { lead: { missingVariables: ['firstName'] } }, 'stop missing_variable'],
  [
    'a suppressed lead that lacks a value',
    { lead: { suppressed: true, missingVariables: ['firstName'] } },
    'stop suppressed',
  ],
];

const mailboxWaits: Case[] = [
  ['a paused mailbox', { mailbox: { status: 'paused' } }, 'wait mailbox_paused until ever'],
  [
    'a mailbox with an error that is retried',
    { mailbox: { status: 'error', retryAt: at('09:05:00') } },
    'wait mailbox_error until 2026-11-20T09:05:00.000Z',
  ],
  [
    'a mailbox whose retry is after the end of the window',
    { mailbox: { status: 'error', retryAt: at('17:00:00') } },
    `wait mailbox_error until ${MONDAY}`,
  ],
  [
    'a mailbox with an error that a person must repair',
    { mailbox: { status: 'error' } },
    'wait mailbox_error until ever',
  ],
  ['a disconnected mailbox', { mailbox: { status: 'disconnected' } }, 'wait mailbox_disconnected until ever'],
  [
    'a mailbox with sending switched off',
    { mailbox: { sendingEnabled: false } },
    'wait mailbox_sending_disabled until ever',
  ],
  [
    'a mailbox that was stopped for bounces',
    { mailbox: { pausedBySending: { reason: 'bounce_rate' } } },
    'wait mailbox_paused_by_sending until ever',
  ],
  [
    'a mailbox stopped in two ways',
    { mailbox: { status: 'paused', sendingEnabled: false } },
    'wait mailbox_paused until ever + mailbox_sending_disabled',
  ],
  ['the gap', { mailbox: { lastSentAt: at('08:59:30') } }, 'wait mailbox_gap until 2026-11-20T09:00:30.000Z'],
  [
    'the gap, to a millisecond',
    { mailbox: { lastSentAt: at('08:59:00.001') } },
    'wait mailbox_gap until 2026-11-20T09:00:00.001Z',
  ],
  [
    'the gap, longer than the window',
    { mailbox: { lastSentAt: NOW, gapSeconds: 36_000 } },
    `wait mailbox_gap until ${MONDAY}`,
  ],
  ['the mailbox day', { mailbox: { day: TODAY, dayUsed: 10 } }, `wait mailbox_day until ${MONDAY}`],
  [
    'the mailbox day after the limit was lowered',
    { mailbox: { day: TODAY, dayUsed: 10, dailySendLimit: 5 } },
    `wait mailbox_day until ${MONDAY}`,
  ],
  [
    'a mailbox day that ends inside the window',
    { mailbox: { day: TODAY, dayUsed: 10, timezone: 'Pacific/Auckland' } },
    'wait mailbox_day until 2026-11-20T11:00:00.000Z',
  ],
  ['a mailbox with a limit of 0', { mailbox: { dailySendLimit: 0 } }, 'wait mailbox_day until ever + mailbox_24h'],
  [
    'the rolling 24 hours',
    { mailbox: { slots: yesterday(['09:00:00', 10]) } },
    'wait mailbox_24h until 2026-11-20T09:05:00.000Z',
  ],
  [
    'the rolling 24 hours, to a millisecond',
    { now: at('09:04:59.999'), mailbox: { slots: yesterday(['09:00:00', 10]) } },
    'wait mailbox_24h until 2026-11-20T09:05:00.000Z',
  ],
  [
    'the rolling 24 hours of many slots, in any order',
    { mailbox: { slots: yesterday(['10:00:00', 4], ['09:30:00', 3], ['09:10:00', 3]) } },
    'wait mailbox_24h until 2026-11-20T09:15:00.000Z',
  ],
  [
    'the rolling 24 hours until enough slots have expired',
    { mailbox: { dailySendLimit: 5, slots: yesterday(['09:10:00', 3], ['09:30:00', 3], ['10:00:00', 4]) } },
    'wait mailbox_24h until 2026-11-20T09:35:00.000Z',
  ],
  [
    'what the mailbox reserves for warmup',
    { mailbox: { day: TODAY, dayUsed: 4, warmupShare: { mails: 6, weekdaysOnly: false } } },
    `wait mailbox_day until ${MONDAY}`,
  ],
  [
    'what the mailbox still reserves for a warmup that has begun',
    { mailbox: { day: TODAY, dayUsed: 6, dayWarmup: 2, warmupShare: { mails: 6, weekdaysOnly: false } } },
    `wait mailbox_day until ${MONDAY}`,
  ],
  [
    'what the mailbox reserves for warmup, in the rolling 24 hours',
    { mailbox: { warmupShare: { mails: 6, weekdaysOnly: true }, slots: yesterday(['09:00:00', 4]) } },
    'wait mailbox_24h until 2026-11-20T09:05:00.000Z',
  ],
  [
    'a mailbox that warmup fills on weekdays, with a campaign that sends on weekdays',
    { mailbox: { warmupShare: { mails: 10, weekdaysOnly: true } } },
    'wait mailbox_day until ever',
  ],
  [
    'a mailbox with a limit of 0 and a warmup',
    { mailbox: { dailySendLimit: 0, warmupShare: { mails: 6, weekdaysOnly: true } } },
    'wait mailbox_day until ever + mailbox_24h',
  ],
  [
    'the provider’s limit per minute',
    { mailbox: { perMinuteLimit: 2, recent: [at('08:59:50'), at('08:59:20'), at('08:58:00')] } },
    'wait provider_rate until 2026-11-20T09:00:20.000Z',
  ],
  [
    'the provider’s limit per minute that was exceeded',
    { mailbox: { perMinuteLimit: 1, recent: [at('08:59:20'), at('08:59:50')] } },
    'wait provider_rate until 2026-11-20T09:00:50.000Z',
  ],
  [
    'the day and the gap',
    { mailbox: { day: TODAY, dayUsed: 10, lastSentAt: at('08:59:30') } },
    `wait mailbox_day until ${MONDAY} + mailbox_gap`,
  ],
];

const campaignWaits: Case[] = [
  ['a draft', { campaign: { status: 'draft' } }, 'wait campaign_draft until ever'],
  ['a paused campaign', { campaign: { status: 'paused' } }, 'wait campaign_paused until ever'],
  ['a completed campaign', { campaign: { status: 'completed' } }, 'wait campaign_completed until ever'],
  ['an archived campaign', { campaign: { status: 'archived' } }, 'wait campaign_archived until ever'],
  [
    'a paused campaign outside its window',
    { now: at('16:00:00'), campaign: { status: 'paused' } },
    'wait campaign_paused until ever + campaign_window',
  ],
  [
    'the window later on the day',
    { now: at('07:00:00'), lead: { dueAt: at('06:00:00') } },
    'wait campaign_window until 2026-11-20T08:00:00.000Z',
  ],
  ['the window after the weekend', { now: at('16:00:00') }, `wait campaign_window until ${MONDAY}`],
  [
    'a schedule without working days',
    { campaign: { schedule: { ...campaignFacts().schedule, workingDays: [] } } },
    'wait campaign_window until ever',
  ],
  [
    'the window of the lead',
    { lead: { timezone: 'America/New_York' }, campaign: { useLeadTimezone: true } },
    'wait campaign_window until 2026-11-20T14:00:00.000Z',
  ],
  [
    'the schedule’s window if the lead has no zone',
    { now: at('16:00:00'), campaign: { useLeadTimezone: true } },
    `wait campaign_window until ${MONDAY}`,
  ],
  [
    'the schedule’s window if the lead’s zone is invalid',
    { now: at('16:00:00'), lead: { timezone: 'Mars/Base' }, campaign: { useLeadTimezone: true } },
    `wait campaign_window until ${MONDAY}`,
  ],
  [
    'the schedule’s window if the campaign ignores lead zones',
    { now: at('16:00:00'), lead: { timezone: 'America/New_York' } },
    `wait campaign_window until ${MONDAY}`,
  ],
  [
    'the interval',
    { campaign: { nextAt: at('09:07:11.500') } },
    'wait campaign_interval until 2026-11-20T09:07:11.500Z',
  ],
  [
    'the interval beyond the window',
    { campaign: { nextAt: at('16:00:00') } },
    `wait campaign_interval until ${MONDAY}`,
  ],
  [
    'the campaign day',
    { campaign: { dailyLimit: 5, usedToday: { day: TODAY, used: 5 } } },
    `wait campaign_day until ${MONDAY}`,
  ],
  ['a campaign with a limit of 0', { campaign: { dailyLimit: 0 } }, 'wait campaign_day until ever'],
  [
    'the day’s limit of new leads',
    { campaign: { newLeadsPerDay: 3, newLeadsToday: { day: TODAY, used: 3 } } },
    `wait new_leads_day until ${MONDAY}`,
  ],
  ['a campaign with a limit of 0 new leads', { campaign: { newLeadsPerDay: 0 } }, 'wait new_leads_day until ever'],
  [
    'the limit of the lead’s domain',
    { lead: { domainUsedToday: { day: TODAY, used: 2 } }, campaign: { domainDailyLimit: 2 } },
    `wait domain_day until ${MONDAY}`,
  ],
  [
    'three limits at once',
    {
      mailbox: { lastSentAt: at('08:59:30') },
      campaign: { nextAt: at('09:10:00'), newLeadsPerDay: 1, newLeadsToday: { day: TODAY, used: 1 } },
    },
    `wait new_leads_day until ${MONDAY} + mailbox_gap + campaign_interval`,
  ],
];

const leadWaits: Case[] = [
  [
    'a step that is not due',
    { lead: { ...followUp, dueAt: at('09:30:00') } },
    'wait step_delay until 2026-11-20T09:30:00.000Z',
  ],
  [
    'a step that is due at night',
    { lead: { ...followUp, dueAt: at('22:00:00', 3) } },
    'wait step_delay until 2026-11-24T08:00:00.000Z',
  ],
  ['a lead for which nothing is due', { lead: { dueAt: null } }, 'wait step_delay until ever'],
  ['a lead being verified', { lead: { status: 'paused', stopReason: 'verifying' } }, 'wait lead_verifying until ever'],
  [
    'a lead of a restored backup',
    { lead: { status: 'paused', stopReason: 'restored' } },
    'wait lead_restored until ever',
  ],
  [
    'a lead paused by a verification result',
    { lead: { status: 'paused', stopReason: 'verification' } },
    'wait lead_unverified until ever',
  ],
  ['a paused lead', { lead: { status: 'paused', stopReason: 'manual' } }, 'wait lead_paused until ever'],
  [
    'a paused lead that still lacks a value',
    { lead: { status: 'paused', stopReason: 'missing_variable', missingVariables: ['city'] } },
    'wait lead_paused until ever',
  ],
  [
    'a lead that is out of office',
    { lead: { status: 'paused', stopReason: 'auto_replied', resumeAt: at('10:00:00') } },
    'wait lead_paused until 2026-11-20T10:00:00.000Z',
  ],
  [
    'a lead that is out of office over the weekend',
    { lead: { status: 'paused', stopReason: 'auto_replied', resumeAt: at('10:00:00', 1) } },
    `wait lead_paused until ${MONDAY}`,
  ],
  ['a claimed send', { lead: { inFlight: 'claimed', dueAt: null } }, 'wait in_flight until ever'],
  [
    'a send in handover, of the last step',
    { lead: { inFlight: 'sending', dueAt: null, hasNextStep: false } },
    'wait in_flight until ever',
  ],
  ['an ambiguous send', { lead: { inFlight: 'ambiguous', dueAt: null } }, 'wait ambiguous until ever'],
  [
    'a follow-up with another sender',
    { lead: { ...followUp, senderIsThisMailbox: false } },
    'wait other_sender until ever',
  ],
];

describe('the decision', () => {
  const cases = [...sends, ...stops, ...mailboxWaits, ...campaignWaits, ...leadWaits];
  it('has a table of at least 60 cases with distinct names', () => {
    expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThanOrEqual(60);
  });

  it.each(sends)('sends: %s', (_name, given, expected) => {
    expect(describeDecision(decideSend(sendingFacts(given)))).toBe(expected);
  });
  it.each(stops)('stops: %s', (_name, given, expected) => {
    expect(describeDecision(decideSend(sendingFacts(given)))).toBe(expected);
  });
  it.each([...mailboxWaits, ...campaignWaits, ...leadWaits])('waits for %s', (_name, given, expected) => {
    expect(describeDecision(decideSend(sendingFacts(given)))).toBe(expected);
  });

  it('reports the use of each limit, and when that limit alone would permit the email', () => {
    const mailbox = {
      dailySendLimit: 5,
      day: TODAY,
      dayUsed: 7,
      slots: yesterday(['09:10:00', 1], ['09:20:00', 5]),
      lastSentAt: NOW,
    };
    const campaign = { dailyLimit: 100, usedToday: { day: TODAY, used: 100 } };
    const decision = decideSend(sendingFacts({ mailbox, campaign }));
    expect(decision).toEqual({
      kind: 'wait',
      reason: 'mailbox_day',
      nextEligibleAt: new Date(MONDAY),
      limits: [
        { name: 'mailbox_day', used: 7, max: 5, until: at('23:00:00'), binding: true },
        { name: 'mailbox_24h', used: 6, max: 5, until: at('09:25:00'), binding: false },
        { name: 'mailbox_gap', until: at('09:01:00'), binding: false },
        { name: 'campaign_day', used: 100, max: 100, until: at('23:00:00'), binding: false },
      ],
    });
  });
});
