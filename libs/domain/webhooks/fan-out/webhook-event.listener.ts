import { EVENT_TYPES, type EventRecord, type EventSubscriber, EVENT_SUBSCRIBERS } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { WebhookRecord } from '../schemas/webhook.record';
import { wasSubscribed } from '../subscription-periods';
import { WebhookDeliveryRepository } from '../delivery/webhook-delivery.repository';

type Subscription = Pick<WebhookRecord, '_id' | 'workspaceId' | 'periods'>;

/** Creates a delivery of each event for each webhook that was active and subscribed when the event was recorded. */
@Injectable()
@Listens(EVENT_SUBSCRIBERS)
export class WebhookEventListener implements EventSubscriber {
  readonly name = 'webhooks';
  readonly types = new Set(EVENT_TYPES);

  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly partitions: WebhookWorkPartitionService,
  ) {}

  async handle(events: readonly EventRecord[]): Promise<void> {
    const subscriptions = await this.webhooks
      .find({ workspaceId: { $in: listWorkspaceIds(events) } }, { workspaceId: 1, periods: 1 })
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' })
      .lean<Subscription[]>();
    await this.deliveries.create(
      events.flatMap((event) =>
        subscriptions
          .filter(({ workspaceId }) => workspaceId.equals(event.workspaceId))
          .filter(({ periods }) => wasSubscribed(periods, event.type, event.createdAt))
          .map(({ _id }) => ({ event, webhookId: _id })),
      ),
    );
  }

  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    await this.partitions.enqueueDue(listWorkspaceIds(events));
  }
}

function listWorkspaceIds(events: readonly EventRecord[]): string[] {
  return [...new Set(events.map(({ workspaceId }) => workspaceId.toHexString()))];
}
