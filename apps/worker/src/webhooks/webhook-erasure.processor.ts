import { WebhookErasureService } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Erases the data of deleted webhooks. */
@Injectable()
export class WebhookErasureProcessor extends JobProcessor {
  readonly queue = 'webhook-erasure' as const;

  constructor(private readonly erasure: WebhookErasureService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.erasure.clear(signal);
  }
}
