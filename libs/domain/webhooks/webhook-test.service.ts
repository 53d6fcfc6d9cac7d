import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { invalidField } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { WebhookSenderService } from './delivery/webhook-sender.service';
import { toWebhookTest, type WebhookTestResponse } from './dto/webhook-delivery.dto';
import { type TestWebhookRequest } from './dto/webhook-requests.dto';
import { sampleEvent } from './message/sample-event';
import { WebhookRecord } from './schemas/webhook.record';
import { findWebhook } from './webhook-lookup';

/** Trying a webhook out. */
@Injectable()
export class WebhookTestService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly sender: WebhookSenderService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Sends a made-up event to the webhook now, signed like any other, active or not, and tells what came of it. It is counted
   * and kept nowhere. Takes up to `timeoutMs` of the webhook.
   * @throws NOT_FOUND, VALIDATION_ERROR for a type of event that it does not want
   */
  async test(workspace: WorkspaceScope, webhookId: string, input: TestWebhookRequest): Promise<WebhookTestResponse> {
    const webhook = await findWebhook(this.webhooks, workspace, webhookId);
    const event = input.event ?? webhook.events[0];
    if (!event || !webhook.events.includes(event)) {
      throw invalidField('event', `event must be one that the webhook is told: ${webhook.events.join(', ')}`);
    }
    const id = new Types.ObjectId().toHexString();
    const own = { id, timestamp: this.clock.now().toISOString(), workspaceId: workspace.workspaceId };
    const body = JSON.stringify(sampleEvent(event, own));
    const { attempt } = await this.sender.send(webhook, { id, body }, 'manual');
    return toWebhookTest(attempt);
  }
}
