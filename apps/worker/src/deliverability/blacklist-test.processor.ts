import { BlacklistTestJobService, type RunBlacklistTest } from '@domain/deliverability';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Checks mailboxes against blacklists. */
@Injectable()
export class BlacklistTestProcessor extends JobProcessor<RunBlacklistTest> {
  readonly queue = 'blacklist-test' as const;

  constructor(private readonly runs: BlacklistTestJobService) {
    super();
  }

  async handle(payload: RunBlacklistTest, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
