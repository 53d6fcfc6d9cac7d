import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { type DisabledReason, WebhookRecord, type WebhookStatus } from './schemas/webhook.record';
import { unknownDelivery, unknownWebhook } from './webhook.errors';

/** A webhook as the operator sees it: without its secret, and without what of its address may be one. */
export interface OverseenWebhook {
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

type Overseen = Pick<
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

/** Webhooks of all workspaces, for the operator, who knows ids and no workspaces. */
@Injectable()
export class WebhookOperatorService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
  ) {}

  /** Newest first. */
  async list({ workspaceId, limit }: { workspaceId?: string | undefined; limit: number }): Promise<OverseenWebhook[]> {
    const found = await this.webhooks
      .find(workspaceId === undefined ? {} : { workspaceId }, SHOWN)
      .setOptions(workspaceId === undefined ? ANYWHERE : {})
      .sort({ _id: -1 })
      .limit(limit)
      .lean<Overseen[]>();
    return found.map(toOverseen);
  }

  /** The workspace of a webhook. @throws NOT_FOUND */
  async workspaceOf(webhookId: string): Promise<string> {
    const _id = parseId(webhookId);
    const found = _id && (await this.webhooks.findOne({ _id }, { workspaceId: 1 }, ANYWHERE).lean());
    if (!found) throw unknownWebhook();
    return found.workspaceId.toHexString();
  }

  /** Where a delivery belongs. @throws NOT_FOUND */
  async ofDelivery(deliveryId: string): Promise<{ workspaceId: string; webhookId: string }> {
    const _id = parseId(deliveryId);
    const found =
      _id && (await this.deliveries.findOne({ _id }, { workspaceId: 1, webhookId: 1 }, ANYWHERE).lean<Named>());
    if (!found) throw unknownDelivery();
    return { workspaceId: found.workspaceId.toHexString(), webhookId: found.webhookId.toHexString() };
  }
}

interface Named {
  readonly workspaceId: Types.ObjectId;
  readonly webhookId: Types.ObjectId;
}

function toOverseen(record: Overseen): OverseenWebhook {
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
