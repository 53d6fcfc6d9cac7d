import { BounceProtectionJobService } from '@domain/protection';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Evaluates senders with bounces whose evaluation did not follow the count. */
@Injectable()
export class SenderProtectionProcessor extends JobProcessor {
  readonly queue = 'sender-protection' as const;

  constructor(private readonly checks: BounceProtectionJobService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.checks.run(signal);
  }
}
