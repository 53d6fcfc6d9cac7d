import { getChanges } from '@domain/audit';
import { type CampaignRecord } from './schemas/campaign.record';

const FIELDS = [
  'name',
  'status',
  'mailboxes',
  'mailboxRotation',
  'sequenceVersion',
  'sendingSchedule',
  'useLeadTimezone',
  'trackOpens',
  'trackClicks',
  'stopOnReply',
  'stopCompanyOnReply',
  'includeUnsubscribeLink',
  'emailIntervalMinutes',
  'dailyLimit',
  'newLeadsPerDay',
  'domainDailyLimit',
  'followUpsFirst',
  'verification',
  'problem',
] as const;

/** What the audit log tells of a change: the settings, and of the sequence the number of its version. */
export function auditedChanges(before: CampaignRecord | null, after: CampaignRecord) {
  return getChanges(before, after, FIELDS);
}

export function auditTarget(campaignId: { toString(): string }) {
  return { type: 'campaign', id: String(campaignId) } as const;
}
