import { LeadImportJobService } from '@domain/leads';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Imports the leads of an uploaded CSV file. */
@Processor('lead-import', getWorkerOptions('lead-import'))
export class LeadImportProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly imports: LeadImportJobService) {
    super();
  }

  async handle(payload: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.imports.run(payload, signal);
  }
}
