import { HitClassificationService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Classifies tracking hits as opens and clicks of people or machines, and counts them. */
@Injectable()
export class HitClassificationProcessor extends JobProcessor {
  readonly queue = 'hit-classification' as const;

  constructor(private readonly hits: HitClassificationService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.hits.classifyDue(signal);
  }
}
