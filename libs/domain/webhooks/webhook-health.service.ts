import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { type Backlog, toWebhookHealth, type WebhookHealthResponse } from './dto/webhook-health.dto';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';
import { findWebhook } from './webhook-lookup';

/** The index of pending deliveries: without the hint, the server scans the log by `createdAt`. */
const WAITING = { workspaceId: 1, webhookId: 1, nextAttemptAt: 1 } as const;

/** A webhook that the platform has disabled. */
export type DisabledWebhook = Pick<WebhookRecord, '_id' | 'name' | 'disabledReason' | 'disabledAt'>;

/** The health of webhooks. */
@Injectable()
export class WebhookHealthService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    @InjectModel(WebhookReplayRecord.name) private readonly replays: Model<WebhookReplayRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND */
  async read(workspace: WorkspaceScope, webhookId: string): Promise<WebhookHealthResponse> {
    const record = await findWebhook(this.webhooks, workspace, webhookId);
    const { _id, workspaceId } = record;
    const replay = await this.replays.findOne({ _id, workspaceId }).lean<WebhookReplayRecord>();
    return toWebhookHealth(record, await this.#backlog(record), replay, this.clock.now());
  }

  /** Webhooks disabled by the platform (410 Gone or days of failures), newest first. */
  async listDisabled(workspaceId: string, limit: number): Promise<DisabledWebhook[]> {
    return this.webhooks
      .find(
        { workspaceId, status: 'inactive', disabledReason: { $in: ['gone', 'failing'] } },
        { name: 1, disabledReason: 1, disabledAt: 1 },
      )
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .lean<DisabledWebhook[]>();
  }

  /** Pending deliveries are those with a next attempt; the index holds no others. */
  async #backlog({ _id: webhookId, workspaceId }: WebhookRecord): Promise<Backlog> {
    const waiting = { workspaceId, webhookId, nextAttemptAt: { $gt: new Date(0) } };
    const [next, oldest, pending] = await Promise.all([
      this.deliveries.findOne(waiting, { nextAttemptAt: 1 }).sort({ nextAttemptAt: 1 }).lean(),
      this.deliveries.findOne(waiting, { createdAt: 1 }).sort({ createdAt: 1 }).hint(WAITING).lean(),
      this.deliveries.countDocuments(waiting),
    ]);
    return { pending, oldestAt: oldest?.createdAt ?? null, nextAttemptAt: next?.nextAttemptAt ?? null };
  }
}
