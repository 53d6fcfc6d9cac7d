import { HitClassificationService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Classifies hits as people or machines and records opens and clicks. */
@Injectable()
export class HitClassificationProcessor extends JobProcessor {
  readonly queue = 'tracking-verdict' as const;

  constructor(private readonly verdicts: HitClassificationService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.verdicts.classifyDue(signal);
  }
}
