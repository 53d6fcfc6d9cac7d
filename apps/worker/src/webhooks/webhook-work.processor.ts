import { WebhookDeliveryService, type RunWebhookPartition } from '@domain/webhooks';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Delivers the due events of one webhook. */
@Processor('webhook-work', getWorkerOptions('webhook-work'))
export class WebhookWorkProcessor extends JobProcessor<RunWebhookPartition> {
  constructor(private readonly deliveries: WebhookDeliveryService) {
    super();
  }

  async handle(payload: RunWebhookPartition, signal: AbortSignal): Promise<void> {
    await this.deliveries.run(payload, signal);
  }
}
