import { LaneTurns, type WebhookLane } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Delivers what is due to a webhook. */
@Injectable()
export class WebhookLaneProcessor extends JobProcessor<WebhookLane> {
  readonly queue = 'webhook-lane' as const;

  constructor(private readonly lanes: LaneTurns) {
    super();
  }

  async handle(payload: WebhookLane, signal: AbortSignal): Promise<void> {
    await this.lanes.run(payload, signal);
  }
}
