import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, TransactionService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import {
  type DeliveryDetailResponse,
  type DeliveryResponse,
  type ListedDelivery,
  toDelivery,
  toDeliveryDetail,
  toWebhookTest,
  type WebhookTestResponse,
} from './dto/webhook-delivery.dto';
import { type DeliveryQuery, type TestWebhookRequest } from './dto/webhook-requests.dto';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookRecord } from './schemas/webhook.record';
import { findDelivery } from './delivery-lookup';
import { findWebhook } from './webhook-lookup';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { emptiedDelivery, inactiveWebhook } from './webhook.errors';
import { toWebhookTarget } from './webhook-audit';
import { WebhookSenderService } from './delivery/webhook-sender.service';
import { createSampleEvent } from './message/sample-event';

/** The largest fields, which no list shows. */
const UNLISTED = ['body', 'attempts.response'];

/** Deliveries of the last 30 days: reads, redelivery and test requests. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly pages: PageService,
    private readonly partitions: WebhookWorkPartitionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly sender: WebhookSenderService,
  ) {}

  /** Newest first. @throws NOT_FOUND, VALIDATION_ERROR when `to` is not later than `from` */
  async list(workspace: WorkspaceScope, webhookId: string, query: DeliveryQuery): Promise<Page<DeliveryResponse>> {
    const { _id } = await findWebhook(this.webhooks, workspace, webhookId);
    const { workspaceId } = workspace;
    const { limit, cursor } = query;
    const filter = { workspaceId, webhookId: _id, ...toDeliveryFilter(query) };
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

  /**
   * Requests one attempt besides the automatic schedule, which stays unchanged; a success ends the delivery. A second
   * request before the attempt has no effect.
   * @throws NOT_FOUND; CONFLICT for an inactive webhook, and for a delivery whose data was erased
   */
  async redeliver(workspace: WorkspaceScope, webhookId: string, deliveryId: string): Promise<DeliveryResponse> {
    const record = await this.transactions.run(async () => {
      const webhook = await findWebhook(this.webhooks, workspace, webhookId);
      const delivery = await findDelivery(this.deliveries, webhook, deliveryId);
      if (webhook.status !== 'active') throw inactiveWebhook();
      if (delivery.body === '') throw emptiedDelivery();
      return delivery.manualAt ? delivery : this.#requestAttempt(workspace, delivery);
    });
    // Also for an earlier request, which may have failed before this step.
    await this.partitions.enqueue(workspace.workspaceId, [webhookId]);
    return toDelivery(record);
  }

  /**
   * Sends a signed example event to the webhook now, active or not, and returns the result. It is neither counted nor
   * stored. Takes up to `timeoutMs` of the webhook.
   * @throws NOT_FOUND, VALIDATION_ERROR for an event type that it is not subscribed to
   */
  async test(workspace: WorkspaceScope, webhookId: string, input: TestWebhookRequest): Promise<WebhookTestResponse> {
    const webhook = await findWebhook(this.webhooks, workspace, webhookId);
    const event = input.event ?? webhook.events[0];
    if (!event || !webhook.events.includes(event)) {
      throw invalidField('event', `event must be one of the webhook’s subscribed events: ${webhook.events.join(', ')}`);
    }
    const id = new Types.ObjectId().toHexString();
    const own = { id, timestamp: this.clock.now().toISOString(), workspaceId: workspace.workspaceId };
    const body = JSON.stringify(createSampleEvent(event, own));
    const { attempt } = await this.sender.send(webhook, { id, body }, 'manual');
    return toWebhookTest(attempt);
  }

  async #requestAttempt(workspace: WorkspaceScope, delivery: WebhookDeliveryRecord): Promise<WebhookDeliveryRecord> {
    const { _id, workspaceId, webhookId } = delivery;
    const manualAt = this.clock.now();
    delivery.manualAt = manualAt;
    await this.deliveries.updateOne({ _id, workspaceId }, { $set: { manualAt } });
    await this.partitions.schedule(workspace.workspaceId, [webhookId.toHexString()], manualAt);
    const changes = { delivery: { from: null, to: _id.toHexString() } };
    await this.audit.record(workspace, { action: 'webhook.redelivered', target: toWebhookTarget(webhookId), changes });
    return delivery;
  }
}

function toDeliveryFilter({ state, event, from, to }: DeliveryQuery): Record<string, unknown> {
  const since = from === undefined ? undefined : new Date(from);
  const until = to === undefined ? undefined : new Date(to);
  if (since && until && since >= until) throw invalidField('to', 'to must be later than from');
  return {
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { type: event }),
    ...(since || until ? { createdAt: { ...(since && { $gte: since }), ...(until && { $lt: until }) } } : {}),
  };
}
