import { BlacklistTestJobService } from '@domain/deliverability';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Runs blacklist tests. */
@Processor('blacklist-test', getWorkerOptions('blacklist-test'))
export class BlacklistTestProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly runs: BlacklistTestJobService) {
    super();
  }

  async handle(payload: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
