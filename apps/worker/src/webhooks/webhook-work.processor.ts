import { WebhookDeliveryService } from '@domain/webhooks';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Delivers the due events of one webhook. */
@Processor('webhook-work', getWorkerOptions('webhook-work'))
export class WebhookWorkProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly deliveries: WebhookDeliveryService) {
    super();
  }

  async handle(payload: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.deliveries.run(payload, signal);
  }
}
