import { CreditsService } from '@domain/credits';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

const BATCH = 100;

/** Releases expired credit reservations. */
@Injectable()
export class CreditExpiryProcessor extends JobProcessor {
  readonly queue = 'credit-expiry' as const;

  constructor(private readonly reservations: CreditsService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    let released = BATCH;
    while (released === BATCH && !signal.aborted) released = await this.reservations.expire(BATCH);
  }
}
