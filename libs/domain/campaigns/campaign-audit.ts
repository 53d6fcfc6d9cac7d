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

/** The audited fields of a change: the settings, and the version of the sequence. */
export function auditedChanges(before: CampaignRecord | null, after: CampaignRecord) {
  return getChanges(before, after, FIELDS);
}

export function auditTarget(campaignId: { toString(): string }) {
  return { type: 'campaign', id: String(campaignId) } as const;
}
