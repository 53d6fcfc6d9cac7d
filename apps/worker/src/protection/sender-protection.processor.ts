import { BounceProtectionService } from '@domain/protection';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Evaluates due senders whose bounces were counted without an evaluation. */
@Injectable()
export class SenderProtectionProcessor extends JobProcessor {
  readonly queue = 'sender-protection' as const;

  constructor(private readonly protection: BounceProtectionService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.protection.checkAll(signal);
  }
}
