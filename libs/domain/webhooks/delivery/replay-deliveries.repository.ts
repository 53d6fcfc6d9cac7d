import { type EventRecord } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { NewDeliveriesRepository } from './new-deliveries.repository';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { type DeliveryState, WebhookDeliveryRecord } from '../schemas/webhook-delivery.record';
import { type ReplayScope, type WebhookReplayRecord } from '../schemas/webhook-replay.record';

const BEGUN_ANEW: Readonly<Record<ReplayScope, readonly DeliveryState[]>> = {
  failed: ['failed'],
  all: ['failed', 'delivered'],
};

/** What a replay makes of deliveries. */
@Injectable()
export class ReplayDeliveriesRepository {
  constructor(
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly fresh: NewDeliveriesRepository,
    private readonly lanes: WebhookWorkPartitionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * What ended begins anew, with the same body and all its attempts before it; where it is counted is changed by how it ends
   * this time. What is pending is left alone, what has no delivery gets one. Joins the running transaction; the caller
   * announces the lane after it.
   * @returns how many were begun
   */
  async begin(
    { _id: webhookId, workspaceId }: Pick<WebhookReplayRecord, '_id' | 'workspaceId'>,
    events: readonly EventRecord[],
    scope: ReplayScope,
  ): Promise<number> {
    if (events.length === 0) return 0;
    const made = await this.fresh.make(events.map((event) => ({ event, webhookId })));
    const nextAttemptAt = this.clock.now();
    const { modifiedCount } = await this.deliveries.updateMany(
      {
        workspaceId,
        webhookId,
        eventId: { $in: events.map(({ _id }) => _id) },
        state: { $in: [...BEGUN_ANEW[scope]] },
        body: { $ne: '' }, // of what was erased there is nothing to send
      },
      { $set: { state: 'pending', attemptsMade: 0, nextAttemptAt } },
    );
    if (modifiedCount > 0)
      await this.lanes.schedule(workspaceId.toHexString(), [webhookId.toHexString()], nextAttemptAt);
    return made + modifiedCount;
  }
}
