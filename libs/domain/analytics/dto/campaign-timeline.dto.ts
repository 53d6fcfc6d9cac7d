import { ApiProperty } from '@nestjs/swagger';
import { DaysResponse } from '@platform/validation';
import { createDayFigures } from '../days/day-figures';
import { type Period } from '../days/period';
import { type DayFigures } from '../schemas/campaign-day.record';
import { FiguresResponse, toFigures } from './figures.dto';

/** Emails of one day. */
export interface MachineFigures {
  machineOpened: number;
  machineClicked: number;
}

class TimelineFiguresResponse extends FiguresResponse implements MachineFigures {
  @ApiProperty({ type: 'integer', description: 'Emails opened by a machine; not counted in `opened`.' })
  machineOpened!: number;

  @ApiProperty({ type: 'integer', description: 'Emails in which a machine followed a link; not counted in `clicked`.' })
  machineClicked!: number;
}

class TimelineDayResponse extends TimelineFiguresResponse {
  @ApiProperty({ type: 'string', format: 'date' })
  day!: string;
}

export class CampaignTimelineResponse extends DaysResponse {
  @ApiProperty({ type: 'string' })
  campaignId!: string;

  @ApiProperty({ type: TimelineFiguresResponse })
  totals!: TimelineFiguresResponse;

  @ApiProperty({
    type: [TimelineDayResponse],
    description: 'Every day from `from` to `to`, days without activity included.',
  })
  days!: TimelineDayResponse[];
}

/** Figures of one day. */
export type TimelineFigures = DayFigures & MachineFigures;

export function toTimeline(
  campaignId: string,
  { timezone, first, last }: Period,
  figures: ReadonlyMap<string, TimelineFigures>,
): CampaignTimelineResponse {
  const days = [...figures].map(([day, ofDay]) => ({ day, ...toTimelineFigures(ofDay) }));
  const totals: TimelineFigures = { ...createDayFigures(), machineOpened: 0, machineClicked: 0 };
  for (const day of days) {
    for (const figure of Object.keys(totals) as (keyof TimelineFigures)[]) totals[figure] += day[figure];
  }
  return { campaignId, timezone, from: first, to: last, totals, days };
}

function toTimelineFigures(figures: TimelineFigures): TimelineFigures {
  const { machineOpened, machineClicked } = figures;
  return { ...toFigures(figures), machineOpened, machineClicked };
}
