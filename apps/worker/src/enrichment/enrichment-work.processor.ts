import { EnrichmentWorkerService, type RunEnrichmentPartition } from '@domain/enrichment';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Runs the enrichment jobs of a workspace. */
@Processor('enrichment-work', getWorkerOptions('enrichment-work'))
export class EnrichmentWorkProcessor extends JobProcessor<RunEnrichmentPartition> {
  constructor(private readonly runs: EnrichmentWorkerService) {
    super();
  }

  async handle(payload: RunEnrichmentPartition, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
