import { WebhookReplayService, type ReplayWebhook } from '@domain/webhooks';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Runs replays of webhooks. */
@Processor('webhook-replay', getWorkerOptions('webhook-replay'))
export class WebhookReplayProcessor extends JobProcessor<ReplayWebhook> {
  constructor(private readonly replays: WebhookReplayService) {
    super();
  }

  async handle(payload: ReplayWebhook, signal: AbortSignal): Promise<void> {
    await this.replays.run(payload, signal);
  }
}
