import { WebhookReplayService, type ReplayWebhook } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Runs replays of webhooks. */
@Injectable()
export class WebhookReplayProcessor extends JobProcessor<ReplayWebhook> {
  readonly queue = 'webhook-replay' as const;

  constructor(private readonly replays: WebhookReplayService) {
    super();
  }

  async handle(payload: ReplayWebhook, signal: AbortSignal): Promise<void> {
    await this.replays.run(payload, signal);
  }
}
