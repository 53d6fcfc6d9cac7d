import { type CampaignRecord, type CampaignSums } from '@domain/campaigns';
import { ApiProperty } from '@nestjs/swagger';

const STATUSES = ['active', 'paused', 'completed', 'bounced', 'removed'] as const;

class AnalysedCampaignResponse {
  @ApiProperty({ type: 'string' })
  id!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string' })
  status!: string;
}

class AnalysedStatsResponse {
  @ApiProperty({ type: 'integer', description: 'All leads of the campaign.' })
  totalLeads!: number;

  @ApiProperty({ type: 'integer', description: 'Emails that a mail server accepted.' })
  sent!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that opened an email.' })
  opened!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that followed a link.' })
  clicked!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Emails that were rejected or returned because the address does not exist.',
  })
  bounced!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that replied.' })
  replied!: number;
}

export class StepStatsResponse {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of the step, from 1.' })
  _id!: number;

  @ApiProperty({ type: 'integer' })
  sent!: number;

  @ApiProperty({ type: 'integer', description: 'Emails of the step that were opened.' })
  opened!: number;

  @ApiProperty({ type: 'integer', description: 'Emails of the step in which a link was followed.' })
  clicked!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;
}

class StatusBreakdownResponse {
  @ApiProperty({ type: 'integer' })
  active!: number;

  @ApiProperty({ type: 'integer' })
  paused!: number;

  @ApiProperty({ type: 'integer' })
  completed!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;

  @ApiProperty({ type: 'integer' })
  removed!: number;
}

export class CampaignAnalyticsResponse {
  @ApiProperty({ type: AnalysedCampaignResponse })
  campaign!: AnalysedCampaignResponse;

  @ApiProperty({ type: AnalysedStatsResponse })
  stats!: AnalysedStatsResponse;

  @ApiProperty({ type: [StepStatsResponse], description: 'One entry per step that sent, in the order of the steps.' })
  stepStats!: StepStatsResponse[];

  @ApiProperty({ type: StatusBreakdownResponse, description: 'Leads by status.' })
  statusBreakdown!: StatusBreakdownResponse;

  @ApiProperty({ type: 'integer', description: 'Leads that replied.' })
  totalReplied!: number;
}

/** @param places positions of the steps, from 0, by id */
export function toCampaignAnalytics(
  { _id, name, status }: CampaignRecord,
  { stats, leads, steps }: CampaignSums,
  places: ReadonlyMap<string, number>,
): CampaignAnalyticsResponse {
  const { sent, opened, clicked, bounced, replied } = stats;
  return {
    campaign: { id: _id.toHexString(), name, status },
    stats: { totalLeads: leads.total, sent, opened, clicked, bounced, replied },
    stepStats: toStepStats(steps, places),
    statusBreakdown: Object.fromEntries(STATUSES.map((of) => [of, leads[of]])) as unknown as StatusBreakdownResponse,
    totalReplied: replied,
  };
}

/** A removed step keeps its number and is added to the step that has the number now. */
function toStepStats(steps: CampaignSums['steps'], places: ReadonlyMap<string, number>): StepStatsResponse[] {
  const numbers = new Map<number, StepStatsResponse>();
  for (const [stepId, { sent, opened, clicked, bounced }] of Object.entries(steps)) {
    const number = (places.get(stepId) ?? 0) + 1;
    const known = numbers.get(number) ?? { _id: number, sent: 0, opened: 0, clicked: 0, bounced: 0 };
    numbers.set(number, {
      _id: number,
      sent: known.sent + sent,
      opened: known.opened + opened,
      clicked: known.clicked + clicked,
      bounced: known.bounced + bounced,
    });
  }
  return [...numbers.values()].filter(({ sent }) => sent > 0).toSorted((one, other) => one._id - other._id);
}
