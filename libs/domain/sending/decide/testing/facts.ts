import {
  type CampaignFacts,
  type Decision,
  type LeadFacts,
  type MailboxFacts,
  type Opening,
  type SendingFacts,
} from '../facts';

/** A Friday, 10:00 in Berlin, an hour after the window of `campaignFacts` opened. */
export const NOW = new Date('2026-11-20T09:00:00.000Z');

/** A time of the day of `NOW`, or of the given number of days later, in UTC. */
export function at(time: string, days = 0): Date {
  return new Date(Date.parse(`2026-11-20T${time}Z`) + days * 86_400_000);
}

/** Facts of a mailbox that can send now. */
export function mailboxFacts(given: Partial<MailboxFacts> = {}): MailboxFacts {
  return {
    status: 'active',
    sendingEnabled: true,
    retryAt: null,
    pausedBySending: null,
    cooldown: null,
    dailySendLimit: 10,
    warmupShare: null,
    gapSeconds: 60,
    timezone: 'Europe/Berlin',
    lastSentAt: null,
    sentBefore: null,
    day: '',
    dayUsed: 0,
    dayWarmup: 0,
    slots: [],
    perMinuteLimit: null,
    recent: [],
    ...given,
  };
}

/** Facts of a campaign without any limit now: Mondays to Fridays, 09:00 to 17:00 in Berlin. */
export function campaignFacts(given: Partial<CampaignFacts> = {}): CampaignFacts {
  return {
    status: 'active',
    schedule: { timezone: 'Europe/Berlin', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] },
    useLeadTimezone: false,
    nextAt: null,
    dailyLimit: null,
    usedToday: { day: '', used: 0 },
    newLeadsPerDay: null,
    newLeadsToday: { day: '', used: 0 },
    domainDailyLimit: null,
    ...given,
  };
}

/** Facts of a new lead that is due. */
export function leadFacts(given: Partial<LeadFacts> = {}): LeadFacts {
  return {
    status: 'active',
    stopReason: null,
    resumeAt: null,
    dueAt: NOW,
    postponed: null,
    isNew: true,
    inFlight: null,
    timezone: null,
    suppressed: false,
    domainUsedToday: { day: '', used: 0 },
    freeMail: false,
    missingVariables: [],
    hasNextStep: true,
    senderIsThisMailbox: true,
    ...given,
  };
}

/** Facts of an email that can leave now, except for the given ones. */
export function sendingFacts(given: {
  now?: Date;
  mailbox?: Partial<MailboxFacts>;
  campaign?: Partial<CampaignFacts>;
  lead?: Partial<LeadFacts>;
}): SendingFacts {
  return {
    now: given.now ?? NOW,
    mailbox: mailboxFacts(given.mailbox),
    campaign: campaignFacts(given.campaign),
    lead: leadFacts(given.lead),
  };
}

/** `send`, `stop finished`, or `wait mailbox_gap until …`; further limits follow the binding one after a `+`. */
export function describeDecision(decision: Decision | Opening): string {
  if (decision.kind === 'stop') return `stop ${decision.reason}`;
  if (decision.kind !== 'wait') return decision.kind;
  const { reason, nextEligibleAt, limits } = decision;
  const binding = limits.filter((limit) => limit.binding).map(({ name }) => name);
  expect(binding).toEqual([reason]);
  const others = limits.filter((limit) => !limit.binding).map(({ name }) => ` + ${name}`);
  return `wait ${reason} until ${nextEligibleAt?.toISOString() ?? 'ever'}${others.join('')}`;
}
