import { EnrichmentJobEndService } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Deletes enrichment jobs after their retention of seven days. */
@Injectable()
export class EnrichmentExpiryProcessor extends JobProcessor {
  readonly queue = 'enrichment-expiry' as const;

  constructor(private readonly jobs: EnrichmentJobEndService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.jobs.removeExpired(signal);
  }
}
