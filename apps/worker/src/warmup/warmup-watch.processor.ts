import { WarmupMailWatchService } from '@domain/warmup';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Detects missing warmup mails and updates the metrics. */
@Injectable()
export class WarmupWatchProcessor extends JobProcessor {
  readonly queue = 'warmup-watch' as const;

  constructor(private readonly watch: WarmupMailWatchService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.watch.run(signal);
  }
}
