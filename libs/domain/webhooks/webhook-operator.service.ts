import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { type DisabledReason, WebhookRecord, type WebhookStatus } from './schemas/webhook.record';
import { unknownDelivery, unknownWebhook } from './webhook.errors';
import { type StoredStats, isWholeLog, type StatsDifference, getStatsDifferences } from './stats-differences';

/** A webhook for the operator: without its secret, and with the origin of its address only. */
export interface OperatorWebhook {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly name: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly status: WebhookStatus;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  readonly totalDelivered: number;
  readonly totalFailed: number;
  readonly lastDeliveredAt: string | null;
}

type OperatorFields = Pick<
  WebhookRecord,
  '_id' | 'workspaceId' | 'name' | 'url' | 'status' | 'disabledReason' | 'disabledAt' | 'failingSince' | 'stats'
>;

const SHOWN = {
  workspaceId: 1,
  name: 1,
  url: 1,
  status: 1,
  disabledReason: 1,
  disabledAt: 1,
  failingSince: 1,
  stats: 1,
} as const;

const ANYWHERE = { allWorkspaces: 'the operator names a webhook or delivery, or none' } as const;

/** The result of rebuilding statistics. */
export interface StatsRebuild {
  readonly webhooks: number;
  /** Webhooks with a complete log, whose values are exact; for the others they are minimums. */
  readonly exact: number;
  readonly differences: readonly (StatsDifference & { readonly webhookId: string })[];
}

type Counted = Pick<WebhookRecord, '_id' | 'createdAt' | 'stats'>;

interface Share {
  readonly _id: 'delivered' | 'failed' | null;
  readonly count: number;
  readonly last: Date | null;
}

/** Webhooks of all workspaces, for the operator, who knows ids but no workspace. */
@Injectable()
export class WebhookOperatorService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Newest first. */
  async list({ workspaceId, limit }: { workspaceId?: string | undefined; limit: number }): Promise<OperatorWebhook[]> {
    const found = await this.webhooks
      .find(workspaceId === undefined ? {} : { workspaceId }, SHOWN)
      .setOptions(workspaceId === undefined ? ANYWHERE : {})
      .sort({ _id: -1 })
      .limit(limit)
      .lean<OperatorFields[]>();
    return found.map(toOperatorWebhook);
  }

  /** The workspace of a webhook. @throws NOT_FOUND */
  async requireWorkspaceId(webhookId: string): Promise<string> {
    const _id = parseId(webhookId);
    const found = _id && (await this.webhooks.findOne({ _id }, { workspaceId: 1 }, ANYWHERE).lean());
    if (!found) throw unknownWebhook();
    return found.workspaceId.toHexString();
  }

  /** The workspace and webhook of a delivery. @throws NOT_FOUND */
  async requireDelivery(deliveryId: string): Promise<{ workspaceId: string; webhookId: string }> {
    const _id = parseId(deliveryId);
    const found =
      _id && (await this.deliveries.findOne({ _id }, { workspaceId: 1, webhookId: 1 }, ANYWHERE).lean<Named>());
    if (!found) throw unknownDelivery();
    return { workspaceId: found.workspaceId.toHexString(), webhookId: found.webhookId.toHexString() };
  }

  /**
   * @param isCheck nothing is written
   * @throws SERVICE_UNAVAILABLE when a webhook is too busy to be corrected
   */
  async rebuildStats(workspaceId: string, { isCheck }: { isCheck: boolean }): Promise<StatsRebuild> {
    const now = this.clock.now();
    const all = await this.webhooks
      .find({ workspaceId }, { createdAt: 1, stats: 1 })
      .sort({ _id: 1 })
      .lean<Counted[]>();
    const differences: StatsRebuild['differences'][number][] = [];
    for (const webhook of all) {
      // The first check runs without a transaction: concurrent deliveries can cause a difference, which the second one verifies.
      if ((await this.#differences(workspaceId, webhook, now)).length === 0) continue;
      const found = await this.transactions.run(() => this.#rebuildWebhook(workspaceId, webhook._id, now, isCheck));
      differences.push(...found.map((one) => ({ webhookId: webhook._id.toHexString(), ...one })));
    }
    return { webhooks: all.length, exact: all.filter((webhook) => isWholeLog(webhook, now)).length, differences };
  }

  async #rebuildWebhook(
    workspaceId: string,
    _id: Types.ObjectId,
    now: Date,
    isCheck: boolean,
  ): Promise<StatsDifference[]> {
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
    const logged = await this.#readLog(workspaceId, webhook._id);
    return getStatsDifferences(webhook.stats, logged, isWholeLog(webhook, now));
  }

  async #readLog(workspaceId: string, webhookId: Types.ObjectId): Promise<StoredStats> {
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

interface Named {
  readonly workspaceId: Types.ObjectId;
  readonly webhookId: Types.ObjectId;
}

function toOperatorWebhook(record: OperatorFields): OperatorWebhook {
  const { totalDelivered, totalFailed, lastDeliveredAt } = record.stats;
  return {
    webhookId: record._id.toHexString(),
    workspaceId: record.workspaceId.toHexString(),
    name: record.name,
    origin: URL.parse(record.url)?.origin ?? '',
    status: record.status,
    disabledReason: record.disabledReason,
    disabledAt: record.disabledAt?.toISOString() ?? null,
    failingSince: record.failingSince?.toISOString() ?? null,
    totalDelivered,
    totalFailed,
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
  };
}
