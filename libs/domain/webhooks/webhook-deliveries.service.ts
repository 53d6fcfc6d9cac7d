import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Model } from 'mongoose';
import {
  type DeliveryDetailResponse,
  type DeliveryResponse,
  type ListedDelivery,
  toDelivery,
  toDeliveryDetail,
} from './dto/webhook-delivery.dto';
import { type DeliveryQuery } from './dto/webhook-requests.dto';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookRecord } from './schemas/webhook.record';
import { findDelivery } from './delivery-lookup';
import { findWebhook } from './webhook-lookup';

/** What takes the most room, and no list shows. */
const UNLISTED = ['body', 'attempts.response'];

/** What was sent to webhooks, and what came of it, for 30 days. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly pages: PageService,
  ) {}

  /** Newest first. @throws NOT_FOUND, VALIDATION_ERROR when `to` is not later than `from` */
  async list(workspace: WorkspaceScope, webhookId: string, query: DeliveryQuery): Promise<Page<DeliveryResponse>> {
    const { _id } = await findWebhook(this.webhooks, workspace, webhookId);
    const { workspaceId } = workspace;
    const { limit, cursor } = query;
    const filter = { workspaceId, webhookId: _id, ...conditionsOf(query) };
    return this.pages.read(
      this.deliveries,
      { scope: workspaceId, filter, without: UNLISTED, page: { limit, cursor } },
      (record: ListedDelivery) => toDelivery(record),
    );
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, webhookId: string, deliveryId: string): Promise<DeliveryDetailResponse> {
    const webhook = await findWebhook(this.webhooks, workspace, webhookId);
    return toDeliveryDetail(await findDelivery(this.deliveries, webhook, deliveryId));
  }
}

function conditionsOf({ state, event, from, to }: DeliveryQuery): Record<string, unknown> {
  const since = from === undefined ? undefined : new Date(from);
  const until = to === undefined ? undefined : new Date(to);
  if (since && until && since >= until) throw invalidField('to', 'to must be later than from');
  return {
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { type: event }),
    ...(since || until ? { createdAt: { ...(since && { $gte: since }), ...(until && { $lt: until }) } } : {}),
  };
}
