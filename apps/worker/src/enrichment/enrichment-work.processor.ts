import { EnrichmentWorkerService, type RunEnrichmentPartition } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Runs the enrichment jobs of a workspace. */
@Injectable()
export class EnrichmentWorkProcessor extends JobProcessor<RunEnrichmentPartition> {
  readonly queue = 'enrichment-work' as const;

  constructor(private readonly worker: EnrichmentWorkerService) {
    super();
  }

  async handle(payload: RunEnrichmentPartition, signal: AbortSignal): Promise<void> {
    await this.worker.run(payload, signal);
  }
}
