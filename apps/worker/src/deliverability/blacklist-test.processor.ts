import { BlacklistTestJobService, type RunBlacklistTest } from '@domain/deliverability';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Runs blacklist tests. */
@Processor('blacklist-test', getWorkerOptions('blacklist-test'))
export class BlacklistTestProcessor extends JobProcessor<RunBlacklistTest> {
  constructor(private readonly runs: BlacklistTestJobService) {
    super();
  }

  async handle(payload: RunBlacklistTest, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
