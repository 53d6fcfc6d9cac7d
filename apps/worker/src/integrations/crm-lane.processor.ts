import { CrmTurns, type RunCrmLane } from '@domain/integrations';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Works with the CRM of a workspace. */
@Injectable()
export class CrmLaneProcessor extends JobProcessor<RunCrmLane> {
  readonly queue = 'crm-lane' as const;

  constructor(private readonly turns: CrmTurns) {
    super();
  }

  async handle(payload: RunCrmLane, signal: AbortSignal): Promise<void> {
    await this.turns.run(payload, signal);
  }
}
