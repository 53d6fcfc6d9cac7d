import { WebhookDeliveryService, type RunWebhookPartition } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Sends the due deliveries of a webhook. */
@Injectable()
export class WebhookWorkProcessor extends JobProcessor<RunWebhookPartition> {
  readonly queue = 'webhook-lane' as const;

  constructor(private readonly delivery: WebhookDeliveryService) {
    super();
  }

  async handle(payload: RunWebhookPartition, signal: AbortSignal): Promise<void> {
    await this.delivery.run(payload, signal);
  }
}
