import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { SecretBoxService } from '@platform/secrets';
import { type Model } from 'mongoose';
import { toWebhook, type WebhookResponse } from './dto/webhook.dto';
import { WebhookRecord } from './schemas/webhook.record';
import { newSecret, secretOwner } from './webhook-secrets';
import { auditTarget } from './webhook-audit';
import { findWebhook } from './webhook-lookup';

/** For how long the secret before a rotation signs as well: 24 hours. */
const OVERLAP_MS = 24 * 3_600_000;

/** New secrets for webhooks. */
@Injectable()
export class WebhookRotationService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Gives the webhook a new secret. For 24 hours everything is signed with the one before, too; one that is older still stops
   * to be valid at once.
   * @throws NOT_FOUND
   */
  async rotate(workspace: WorkspaceScope, webhookId: string): Promise<WebhookResponse> {
    const secret = newSecret();
    const record = await this.transactions.run(async () => {
      const before = await findWebhook(this.webhooks, workspace, webhookId);
      const { _id, workspaceId } = before;
      const $set = {
        secret: this.box.seal(secret, secretOwner(workspaceId, _id)),
        formerSecret: before.secret,
        formerSecretUntil: this.clock.in(OVERLAP_MS),
      };
      await this.audit.record(workspace, { action: 'webhook.secret_rotated', target: auditTarget(_id) });
      return this.webhooks
        .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
        .lean<WebhookRecord>()
        .orFail();
    });
    return toWebhook(record, secret);
  }
}
