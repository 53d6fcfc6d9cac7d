import { WarmupPlannerService } from '@domain/warmup';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Closes finished days of warmups and plans the next ones. */
@Injectable()
export class WarmupPlanProcessor extends JobProcessor {
  readonly queue = 'warmup-plan' as const;

  constructor(private readonly planner: WarmupPlannerService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.planner.run(signal);
  }
}
