import { WarmupOpeningService } from '@domain/warmup';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Opens received warmup mails that are due: moves them out of spam, marks them read, moves them out of the inbox. */
@Injectable()
export class WarmupOpeningProcessor extends JobProcessor {
  readonly queue = 'warmup-opening' as const;

  constructor(private readonly openings: WarmupOpeningService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.openings.openDue(signal);
  }
}
