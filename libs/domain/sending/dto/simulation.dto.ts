import { ApiProperty } from '@nestjs/swagger';
import { InstantField, IntegerField } from '@platform/validation';
import { type LimitName } from '../decide/facts';
import { LIMIT_NAMES } from '../explain/reasons';
import { type SimulationResult } from '../simulate/simulation';

const MOST_DAYS = 365;
export const DEFAULT_DAYS = 90;

export class SimulateRequest {
  @InstantField({ optional: true, about: 'When the campaign would be started, within a year. Default: now.' })
  startAt?: string;

  @IntegerField({ optional: true, min: 1, max: MOST_DAYS, default: DEFAULT_DAYS, about: 'Days to look ahead.' })
  days?: number;
}

class SimulatedDayResponse {
  @ApiProperty({ type: 'string', format: 'date', description: 'In the zone of the campaign’s schedule.' })
  day!: string;

  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Emails by the id of the mailbox.',
  })
  byMailbox!: Record<string, number>;
}

class BindingLimitResponse {
  @ApiProperty({ type: 'string', enum: LIMIT_NAMES })
  limit!: LimitName;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, description: 'Of the time that the mailboxes wait.' })
  share!: number;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class SimulationResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  startAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the last email is sent; null when that is after the simulated days, or when there is none.',
  })
  finishesAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'Emails of the campaign within the days.' })
  sends!: number;

  @ApiProperty({ type: [SimulatedDayResponse], description: 'Days on which something is sent.' })
  perDay!: SimulatedDayResponse[];

  @ApiProperty({ type: [BindingLimitResponse], description: 'What its mailboxes wait for, the longest first.' })
  binding!: BindingLimitResponse[];

  @ApiProperty({ type: [String], description: 'What the answer takes for granted.' })
  assumptions!: string[];
}

export function toSimulation(
  { sends, perDay, finishesAt, waits }: SimulationResult,
  {
    startAt,
    assumptions,
    reasons,
  }: { startAt: Date; assumptions: string[]; reasons: Readonly<Record<LimitName, string>> },
): SimulationResponse {
  const all = [...waits.values()].reduce((sum, wait) => sum + wait, 0);
  return {
    startAt: startAt.toISOString(),
    finishesAt: finishesAt?.toISOString() ?? null,
    sends,
    perDay: [...perDay].map(([day, byMailbox]) => ({
      day,
      total: [...byMailbox.values()].reduce((sum, count) => sum + count, 0),
      byMailbox: Object.fromEntries(byMailbox),
    })),
    binding: [...waits]
      .filter(([, wait]) => wait > 0)
      .toSorted(([, one], [, other]) => other - one)
      .map(([limit, wait]) => ({ limit, share: Math.round((wait / all) * 1_000) / 1_000, message: reasons[limit] })),
    assumptions,
  };
}
