import { ApiProperty } from '@nestjs/swagger';
import { CHECK_STATUSES, type CheckStatus } from '../check';
import { HEALTH_CHECKS, type HealthCheckName } from '../health/health-report';
import { type HealthEntryRecord } from '../schemas/health-entry.record';

const KNOWN = ['pass', 'warn', 'fail'] as const;

class HealthTransitionResponse {
  @ApiProperty({ type: 'string', enum: HEALTH_CHECKS })
  check!: HealthCheckName;

  @ApiProperty({ type: 'string', enum: KNOWN, description: 'Its former result.' })
  from!: string;

  @ApiProperty({ type: 'string', enum: KNOWN })
  to!: string;

  @ApiProperty({ type: 'string', isArray: true, description: 'Codes of the problems, the most severe first.' })
  problems!: string[];
}

const status = { type: 'string', enum: CHECK_STATUSES } as const;

export class HealthEntryResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', example: 'example.org' })
  domain!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: '0 to 100; null before the first result.' })
  healthScore!: number | null;

  @ApiProperty(status)
  mx!: CheckStatus;

  @ApiProperty(status)
  spf!: CheckStatus;

  @ApiProperty(status)
  dkim!: CheckStatus;

  @ApiProperty(status)
  dmarc!: CheckStatus;

  @ApiProperty({
    type: HealthTransitionResponse,
    isArray: true,
    description: 'Checks that began or ceased to fail; each has an event `mailbox.health_changed`.',
  })
  changes!: HealthTransitionResponse[];

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time of the result.' })
  createdAt!: string;
}

export function toHealthEntry(entry: HealthEntryRecord): HealthEntryResponse {
  const { mx, spf, dkim, dmarc } = entry.statuses;
  return {
    _id: entry._id.toHexString(),
    domain: entry.domain,
    healthScore: entry.healthScore,
    mx,
    spf,
    dkim,
    dmarc,
    changes: entry.transitions.map(({ check, from, to, problems }) => ({ check, from, to, problems: [...problems] })),
    createdAt: entry.createdAt.toISOString(),
  };
}
