import { EnrichmentWorkerService } from '@domain/enrichment';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Runs the enrichment jobs of a workspace. */
@Processor('enrichment-work', getWorkerOptions('enrichment-work'))
export class EnrichmentWorkProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly runs: EnrichmentWorkerService) {
    super();
  }

  async handle(payload: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
