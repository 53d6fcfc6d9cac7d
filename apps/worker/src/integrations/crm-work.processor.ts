import { CrmWorkerService } from '@domain/crm';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Runs the due work of one CRM account. */
@Processor('crm-work', getWorkerOptions('crm-work'))
export class CrmWorkProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly runs: CrmWorkerService) {
    super();
  }

  async handle(payload: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
