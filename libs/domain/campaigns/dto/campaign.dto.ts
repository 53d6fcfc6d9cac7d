import { ApiProperty } from '@nestjs/swagger';
import { type CampaignSums } from '../campaign-counters.service';
import { type LeadTally, type ShownFigure } from '../schemas/campaign-mailbox.record';
import { type SequenceStep } from '../schemas/campaign-sequence.record';
import {
  CAMPAIGN_STATUSES,
  type CampaignRecord,
  type CampaignStatus,
  MAILBOX_ROTATIONS,
  type MailboxRotation,
} from '../schemas/campaign.record';

class CampaignStepResponse {
  @ApiProperty({ type: 'string', enum: ['email'] })
  type!: 'email';

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'From 0.' })
  order!: number;

  @ApiProperty({ type: 'string', description: 'Of its first variant.' })
  subject!: string;

  @ApiProperty({ type: 'string', description: 'HTML, of its first variant.' })
  body!: string;
}

class SendingScheduleResponse {
  @ApiProperty({ type: 'string', description: 'IANA name.' })
  timezone!: string;

  @ApiProperty({ type: 'string', description: 'HH:MM.' })
  startTime!: string;

  @ApiProperty({ type: 'string', description: 'HH:MM; before startTime it is on the next day, and 23:59 is midnight.' })
  endTime!: string;

  @ApiProperty({ type: 'integer', isArray: true, description: 'Days on which sending begins, 1 Monday to 7 Sunday.' })
  workingDays!: number[];
}

class CampaignStatsResponse implements Record<ShownFigure, number> {
  @ApiProperty({ type: 'integer' })
  sent!: number;

  @ApiProperty({ type: 'integer' })
  delivered!: number;

  @ApiProperty({ type: 'integer' })
  opened!: number;

  @ApiProperty({ type: 'integer' })
  clicked!: number;

  @ApiProperty({ type: 'integer' })
  replied!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;

  @ApiProperty({ type: 'integer' })
  unsubscribed!: number;
}

class LeadCountsResponse implements Pick<Record<LeadTally, number>, 'total' | 'active'> {
  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  active!: number;
}

/** A campaign in the list. */
export class CampaignListItem {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({
    type: 'string',
    description: 'Who created it; for a key of the workspace, who owned the workspace then.',
  })
  userId!: string;

  @ApiProperty({ type: 'string' })
  workspaceId!: string;

  @ApiProperty({ type: 'string', enum: CAMPAIGN_STATUSES })
  status!: CampaignStatus;

  @ApiProperty({ type: 'string', isArray: true, description: 'Ids.' })
  mailboxes!: string[];

  @ApiProperty({ type: 'string', enum: MAILBOX_ROTATIONS })
  mailboxRotation!: MailboxRotation;

  @ApiProperty({ type: CampaignStepResponse, isArray: true })
  sequence!: CampaignStepResponse[];

  @ApiProperty({ type: SendingScheduleResponse })
  sendingSchedule!: SendingScheduleResponse;

  @ApiProperty({ type: 'boolean' })
  trackOpens!: boolean;

  @ApiProperty({ type: 'boolean' })
  trackClicks!: boolean;

  @ApiProperty({ type: 'boolean' })
  stopOnReply!: boolean;

  @ApiProperty({ type: 'boolean' })
  includeUnsubscribeLink!: boolean;

  @ApiProperty({ type: 'integer', description: 'Least minutes between two emails of one mailbox.' })
  emailIntervalMinutes!: number;

  @ApiProperty({ type: CampaignStatsResponse })
  stats!: CampaignStatsResponse;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  startedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  completedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export class CampaignResponse extends CampaignListItem {
  @ApiProperty({ type: LeadCountsResponse })
  leadCounts!: LeadCountsResponse;
}

type Fields<T> = Pick<T, keyof T>;

/** The fields follow the contract; further settings have a separate route. */
export function toCampaignListItem(
  record: CampaignRecord,
  steps: readonly SequenceStep[],
  { stats }: CampaignSums,
): Fields<CampaignListItem> {
  const { timezone, startTime, endTime, workingDays } = record.sendingSchedule;
  return {
    _id: record._id.toHexString(),
    name: record.name,
    userId: record.userId.toHexString(),
    workspaceId: record.workspaceId.toHexString(),
    status: record.status,
    mailboxes: record.mailboxes.map((id) => id.toHexString()),
    mailboxRotation: record.mailboxRotation,
    sequence: steps.map(toStep),
    sendingSchedule: { timezone, startTime, endTime, workingDays: [...workingDays] },
    trackOpens: record.trackOpens,
    trackClicks: record.trackClicks,
    stopOnReply: record.stopOnReply,
    includeUnsubscribeLink: record.includeUnsubscribeLink,
    emailIntervalMinutes: record.emailIntervalMinutes,
    stats: toStats(stats),
    startedAt: record.startedAt?.toISOString() ?? null,
    completedAt: record.completedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function toCampaign(
  record: CampaignRecord,
  steps: readonly SequenceStep[],
  sums: CampaignSums,
): CampaignResponse {
  const { total, active } = sums.leads;
  return { ...toCampaignListItem(record, steps, sums), leadCounts: { total, active } };
}

/** The figures of the contract; analytics provides the others. */
function toStats(stats: CampaignSums['stats']): CampaignStatsResponse {
  const { sent, delivered, opened, clicked, replied, bounced, unsubscribed } = stats;
  return { sent, delivered, opened, clicked, replied, bounced, unsubscribed };
}

function toStep({ type, name, order, variants }: SequenceStep): CampaignStepResponse {
  const { subject = '', body = '' } = variants[0] ?? {};
  return { type, name, order, subject, body };
}
