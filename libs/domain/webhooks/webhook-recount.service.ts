import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookRecord } from './schemas/webhook.record';
import { type StoredStats, isWhole, type StatsDifference, statsDifferences } from './stats-differences';

/** What a recount has found. */
export interface RecountedWebhooks {
  readonly webhooks: number;
  /** Webhooks of which the log holds everything, so that their figures are known exactly; of the others only a least. */
  readonly exact: number;
  readonly differences: readonly (StatsDifference & { readonly webhookId: string })[];
}

type Counted = Pick<WebhookRecord, '_id' | 'createdAt' | 'stats'>;
interface Share {
  readonly _id: 'delivered' | 'failed' | null;
  readonly count: number;
  readonly last: Date | null;
}

/**
 * Holds the figures of webhooks against their log. Outcomes are written together with the figures, so it finds nothing; it is
 * for databases that were restored or repaired by hand. The log forgets after 30 days: what was counted before can neither be
 * proven nor made again.
 */
@Injectable()
export class WebhookRecountService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * @param isCheck nothing is written
   * @throws SERVICE_UNAVAILABLE when a webhook is too busy to be corrected
   */
  async run(workspaceId: string, { isCheck }: { isCheck: boolean }): Promise<RecountedWebhooks> {
    const now = this.clock.now();
    const all = await this.webhooks
      .find({ workspaceId }, { createdAt: 1, stats: 1 })
      .sort({ _id: 1 })
      .lean<Counted[]>();
    const differences: RecountedWebhooks['differences'][number][] = [];
    for (const webhook of all) {
      // Without a transaction first: what is delivered meanwhile makes it look different, and only then it is asked again.
      if ((await this.#differences(workspaceId, webhook, now)).length === 0) continue;
      const found = await this.transactions.run(() => this.#recount(workspaceId, webhook._id, now, isCheck));
      differences.push(...found.map((one) => ({ webhookId: webhook._id.toHexString(), ...one })));
    }
    return { webhooks: all.length, exact: all.filter((webhook) => isWhole(webhook, now)).length, differences };
  }

  async #recount(workspaceId: string, _id: Types.ObjectId, now: Date, isCheck: boolean): Promise<StatsDifference[]> {
    const webhook = await this.webhooks.findOne({ workspaceId, _id }, { createdAt: 1, stats: 1 }).lean<Counted>();
    if (!webhook) return [];
    const differences = await this.#differences(workspaceId, webhook, now);
    if (isCheck || differences.length === 0) return differences;
    const figures = differences.map(({ figure, shouldBe }) => [
      `stats.${figure}`,
      figure === 'lastDeliveredAt' ? new Date(shouldBe ?? 0) : shouldBe,
    ]);
    await this.webhooks.updateOne({ workspaceId, _id }, { $set: Object.fromEntries(figures) }, { timestamps: false });
    return differences;
  }

  async #differences(workspaceId: string, webhook: Counted, now: Date): Promise<StatsDifference[]> {
    const held = await this.#held(workspaceId, webhook._id);
    return statsDifferences(webhook.stats, held, isWhole(webhook, now));
  }

  async #held(workspaceId: string, webhookId: Types.ObjectId): Promise<StoredStats> {
    const shares = await this.deliveries.aggregate<Share>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), webhookId } },
      { $group: { _id: '$countedAs', count: { $sum: 1 }, last: { $max: '$deliveredAt' } } },
    ]);
    const of = (name: Share['_id']): number => shares.find(({ _id }) => _id === name)?.count ?? 0;
    const last = shares.map((share) => share.last).filter((at) => at !== null);
    return {
      totalDelivered: of('delivered'),
      totalFailed: of('failed'),
      lastDeliveredAt: last.toSorted((a, b) => a.getTime() - b.getTime()).at(-1) ?? null,
    };
  }
}
