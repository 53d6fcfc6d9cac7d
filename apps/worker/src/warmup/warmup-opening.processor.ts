import { WarmupOpeningService } from '@domain/warmup';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Opens received warmup mail that is due: moves it out of spam, marks it as read and files it. */
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
