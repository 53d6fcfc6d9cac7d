import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type DeliveryResponse, toDelivery } from './dto/webhook-delivery.dto';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookRecord } from './schemas/webhook.record';
import { emptiedDelivery, inactiveWebhook } from './webhook.errors';
import { findDelivery } from './delivery-lookup';
import { auditTarget } from './webhook-audit';
import { findWebhook } from './webhook-lookup';

/** One attempt more, because a person wants it. */
@Injectable()
export class WebhookRedeliveryService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly lanes: WebhookWorkPartitionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Asks for an attempt beside the automatic schedule, which it neither resets nor doubles; a success ends the delivery. Asking
   * again before it was made changes nothing.
   * @throws NOT_FOUND; CONFLICT for an inactive webhook, and for a delivery whose data was erased
   */
  async redeliver(workspace: WorkspaceScope, webhookId: string, deliveryId: string): Promise<DeliveryResponse> {
    const record = await this.transactions.run(async () => {
      const webhook = await findWebhook(this.webhooks, workspace, webhookId);
      const delivery = await findDelivery(this.deliveries, webhook, deliveryId);
      if (webhook.status !== 'active') throw inactiveWebhook();
      if (delivery.body === '') throw emptiedDelivery();
      return delivery.manualAt ? delivery : this.#ask(workspace, delivery);
    });
    // Also when somebody had asked already: they may not have come to this.
    await this.lanes.enqueue(workspace.workspaceId, [webhookId]);
    return toDelivery(record);
  }

  async #ask(workspace: WorkspaceScope, delivery: WebhookDeliveryRecord): Promise<WebhookDeliveryRecord> {
    const { _id, workspaceId, webhookId } = delivery;
    const manualAt = this.clock.now();
    delivery.manualAt = manualAt;
    await this.deliveries.updateOne({ _id, workspaceId }, { $set: { manualAt } });
    await this.lanes.schedule(workspace.workspaceId, [webhookId.toHexString()], manualAt);
    const changes = { delivery: { from: null, to: _id.toHexString() } };
    await this.audit.record(workspace, { action: 'webhook.redelivered', target: auditTarget(webhookId), changes });
    return delivery;
  }
}
