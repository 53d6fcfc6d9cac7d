import { EnrichmentExpiryService } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Removes enrichment jobs after seven days. */
@Injectable()
export class EnrichmentExpiryProcessor extends JobProcessor {
  readonly queue = 'enrichment-expiry' as const;

  constructor(private readonly expiry: EnrichmentExpiryService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.expiry.clear(signal);
  }
}
