import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model } from 'mongoose';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookWorkPartitionRecord } from './schemas/webhook-work-partition.record';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { type WebhookRecord } from './schemas/webhook.record';

/** Deliveries erased per batch. */
const BATCH = 1_000;
/** How long the deletion mark stays: longer than any process works with an old read of the webhook. */
const MARK_RETENTION_MS = 3_600_000;
const NEVER = new Date(0);

type Deleted = Pick<WebhookRecord, '_id' | 'workspaceId'>;

/** Erases the deliveries of deleted webhooks. */
@Injectable()
export class WebhookErasureService {
  constructor(
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    @InjectModel(WebhookWorkPartitionRecord.name) private readonly partitions: Model<WebhookWorkPartitionRecord>,
    @InjectModel(WebhookReplayRecord.name) private readonly replays: Model<WebhookReplayRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** The partition becomes the mark by which `eraseDeleted` finds the webhook. Joins the deleting transaction. */
  async markDeleted({ _id, workspaceId }: Deleted): Promise<void> {
    await rerunOnWriteConflict(() =>
      this.partitions.updateOne(
        { _id, workspaceId },
        {
          $set: { deletedAt: this.clock.now() },
          $unset: { nextAt: 1, requestedFor: 1 },
          $setOnInsert: { holder: '', fence: 0, leaseUntil: NEVER },
        },
        { upsert: true },
      ),
    );
    await this.replays.deleteOne({ _id, workspaceId });
  }

  /**
   * Erases the deliveries of each deleted webhook; an interrupted run is continued by the next. The mark stays for an
   * hour, so that late writes are erased as well.
   */
  async eraseDeleted(signal: AbortSignal): Promise<void> {
    const forgottenBy = new Date(this.clock.now().getTime() - MARK_RETENTION_MS);
    const deleted = this.partitions
      .find({ deletedAt: { $gt: NEVER } }, { workspaceId: 1, deletedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker erases the deliveries of all workspaces' })
      .sort({ deletedAt: 1 })
      .lean()
      .cursor();
    for await (const { _id, workspaceId, deletedAt } of deleted) {
      await this.#erase({ _id, workspaceId }, signal);
      if (deletedAt && deletedAt <= forgottenBy) await this.partitions.deleteOne({ _id, workspaceId });
    }
  }

  async #erase({ _id: webhookId, workspaceId }: Deleted, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const batch = await this.deliveries.find({ workspaceId, webhookId }, { _id: 1 }).limit(BATCH).lean();
      if (batch.length === 0) return;
      await this.deliveries.deleteMany({ workspaceId, _id: { $in: batch.map(({ _id }) => _id) } });
    }
  }
}
