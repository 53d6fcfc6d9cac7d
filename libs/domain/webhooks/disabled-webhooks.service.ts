import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { WebhookRecord } from './schemas/webhook.record';

/** A webhook that the platform has switched off. */
export type DisabledWebhook = Pick<WebhookRecord, '_id' | 'name' | 'disabledReason' | 'disabledAt'>;

/** Webhooks that get nothing any more although nobody said so. */
@Injectable()
export class DisabledWebhooksService {
  constructor(@InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>) {}

  /** Those that said 410 Gone or have only failed for days, the newest first, so many at most. */
  async of(workspaceId: string, limit: number): Promise<DisabledWebhook[]> {
    return this.webhooks
      .find(
        { workspaceId, status: 'inactive', disabledReason: { $in: ['gone', 'failing'] } },
        { name: 1, disabledReason: 1, disabledAt: 1 },
      )
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .lean<DisabledWebhook[]>();
  }
}
