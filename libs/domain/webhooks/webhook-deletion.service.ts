import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { WebhookRecord } from './schemas/webhook.record';
import { auditedChanges, auditTarget } from './webhook-audit';
import { WebhookErasureService } from './webhook-erasure.service';
import { findWebhook } from './webhook-lookup';

/** The end of a webhook. */
@Injectable()
export class WebhookDeletionService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly erasure: WebhookErasureService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * The webhook is gone at once, with its secrets; nothing more is begun for it. What it was sent is erased by the worker.
   * @throws NOT_FOUND
   */
  async delete(workspace: WorkspaceScope, webhookId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const record = await findWebhook(this.webhooks, workspace, webhookId);
      const { _id, workspaceId } = record;
      await this.webhooks.deleteOne({ _id, workspaceId });
      await this.erasure.mark({ _id, workspaceId });
      const changes = auditedChanges(record, null);
      await this.audit.record(workspace, { action: 'webhook.deleted', target: auditTarget(_id), changes });
    });
    return { message: 'Webhook deleted' };
  }
}
