import { WebhookDeliveryService, type RunWebhookPartition } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Delivers the due events of one webhook. */
@Injectable()
export class WebhookWorkProcessor extends JobProcessor<RunWebhookPartition> {
  readonly queue = 'webhook-work' as const;

  constructor(private readonly deliveries: WebhookDeliveryService) {
    super();
  }

  async handle(payload: RunWebhookPartition, signal: AbortSignal): Promise<void> {
    await this.deliveries.run(payload, signal);
  }
}
