import { ReplayRunsService, type ReplayWebhook } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Delivers the events of a past period to a webhook again. */
@Injectable()
export class WebhookReplayProcessor extends JobProcessor<ReplayWebhook> {
  readonly queue = 'webhook-replay' as const;

  constructor(private readonly replays: ReplayRunsService) {
    super();
  }

  async handle(payload: ReplayWebhook, signal: AbortSignal): Promise<void> {
    await this.replays.run(payload, signal);
  }
}
