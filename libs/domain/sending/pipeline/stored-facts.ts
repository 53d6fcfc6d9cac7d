import { type CampaignRecord, type CampaignShare } from '@domain/campaigns';
import { type MailboxRecord } from '@domain/mailboxes';
import { type CampaignFacts } from '../decide/facts';
import { ALL, NEW } from '../quota/send-quota.repository';
import { type SenderMailbox } from './sender-run';

/** Returns the facts of a campaign for decisions. */
export function campaignFacts(
  record: CampaignRecord,
  { nextAt }: Pick<CampaignShare, 'nextAt'>,
  { day, used }: { day: string; used: ReadonlyMap<string, number> },
): CampaignFacts {
  return {
    status: record.status,
    schedule: record.sendingSchedule,
    useLeadTimezone: record.useLeadTimezone,
    nextAt,
    dailyLimit: record.dailyLimit,
    usedToday: { day, used: used.get(ALL) ?? 0 },
    newLeadsPerDay: record.newLeadsPerDay,
    newLeadsToday: { day, used: used.get(NEW) ?? 0 },
    domainDailyLimit: record.domainDailyLimit,
  };
}

/** Returns the facts of a mailbox for decisions. */
export function mailboxFacts(record: MailboxRecord, { lease }: Pick<SenderMailbox, 'lease'>): SenderMailbox['facts'] {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent, stopped, cooldown } = lease;
  return {
    status: record.status,
    sendingEnabled: record.sendingEnabled,
    retryAt: record.connection.nextCheckAt,
    pausedBySending: stopped && { reason: stopped.message },
    cooldown: cooldown && { until: cooldown.until, reason: cooldown.reason },
    dailySendLimit: record.dailySendLimit,
    warmupShare: record.warmup.share ?? null,
    gapSeconds: record.sendGapSeconds,
    timezone: record.timezone,
    // Exchange Online accepts 30 messages a minute from a mailbox (Microsoft Learn, "Exchange Online limits").
    perMinuteLimit: record.provider === 'microsoft' ? 30 : null,
    lastSentAt,
    sentBefore,
    day,
    dayUsed,
    dayWarmup,
    slots,
    recent,
  };
}
