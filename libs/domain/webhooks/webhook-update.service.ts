import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { OutboundAddressService } from '@platform/outbound';
import { type Model } from 'mongoose';
import { type WebhookResponse } from './dto/webhook.dto';
import { type UpdateWebhookRequest } from './dto/webhook-requests.dto';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { WebhookRecord } from './schemas/webhook.record';
import { requireSendable } from './webhook-address';
import { auditedChanges, auditTarget } from './webhook-audit';
import { changesBy } from './webhook-changes';
import { findWebhook } from './webhook-lookup';
import { WebhooksService } from './webhooks.service';

/** Changing a webhook, switching it off and on. */
@Injectable()
export class WebhookUpdateService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly views: WebhooksService,
    private readonly lanes: WebhookWorkPartitionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly guard: OutboundAddressService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Changes what is given and leaves the rest. What is recorded from now on goes by the new settings; what is still to be
   * delivered goes to the new address. Switched off, nothing more is begun; switched on, what waited goes on.
   * @throws NOT_FOUND, VALIDATION_ERROR for an address that is never sent to
   */
  async update(workspace: WorkspaceScope, webhookId: string, input: UpdateWebhookRequest): Promise<WebhookResponse> {
    const record = await this.transactions.run(async () => {
      const before = await findWebhook(this.webhooks, workspace, webhookId);
      if (input.url !== undefined) requireSendable(input.url, this.guard);
      const changes = changesBy(before, input, this.clock.now());
      return Object.keys(changes).length === 0 ? before : this.#write(workspace, before, changes);
    });
    // Also when nothing was to be done: whoever asks again may not have got the first answer.
    if (record.status === 'active') await this.lanes.enqueue(workspace.workspaceId, [webhookId]);
    return this.views.shown(record);
  }

  async #write(workspace: WorkspaceScope, before: WebhookRecord, $set: Partial<WebhookRecord>): Promise<WebhookRecord> {
    const { _id, workspaceId } = before;
    const after = await this.webhooks
      .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
      .lean<WebhookRecord>()
      .orFail();
    const changes = auditedChanges(before, after);
    await this.audit.record(workspace, { action: 'webhook.updated', target: auditTarget(_id), changes });
    const mayGoOn = after.status === 'active' && $set.failingSince === null;
    if (mayGoOn) await this.lanes.schedule(workspace.workspaceId, [_id.toHexString()], this.clock.now());
    return after;
  }
}
