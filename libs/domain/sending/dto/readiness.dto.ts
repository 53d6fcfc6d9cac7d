import { ApiProperty } from '@nestjs/swagger';
import {
  LAUNCH_CHECKS,
  LAUNCH_VERDICTS,
  type LaunchCheck,
  type LaunchCheckName,
  type LaunchVerdict,
} from '../launch/launch-checks';

class LaunchCheckResponse {
  @ApiProperty({ type: 'string', enum: LAUNCH_CHECKS })
  check!: LaunchCheckName;

  @ApiProperty({
    type: 'string',
    enum: LAUNCH_VERDICTS,
    description: 'Only what failed keeps a campaign from starting.',
  })
  status!: LaunchVerdict;

  @ApiProperty({ type: 'string' })
  message!: string;
}

/** The readiness of a campaign for its start. */
export class ReadinessResponse {
  @ApiProperty({ type: 'boolean', description: 'Whether no check failed.' })
  ready!: boolean;

  @ApiProperty({ type: LaunchCheckResponse, isArray: true, description: 'All checks, in this order.' })
  checks!: LaunchCheckResponse[];
}

export function toReadiness(checks: readonly LaunchCheck[]): ReadinessResponse {
  return {
    ready: checks.every(({ status }) => status !== 'failed'),
    checks: checks.map(({ check, status, message }) => ({ check, status, message })),
  };
}
