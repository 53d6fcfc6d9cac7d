import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { OutboundAddressService } from '@platform/outbound';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { toWebhook, type WebhookResponse } from './dto/webhook.dto';
import { type CreateWebhookRequest } from './dto/webhook-requests.dto';
import { WebhookRecord } from './schemas/webhook.record';
import { tooManyWebhooks } from './webhook.errors';
import { periodsWith } from './subscription-periods';
import { newSecret, secretOwner } from './webhook-secrets';
import { requireSendable } from './webhook-address';
import { auditedChanges, auditTarget } from './webhook-audit';

/** Webhooks that a workspace may have. */
const MOST_WEBHOOKS = 50;

/** How webhooks come to be. */
@Injectable()
export class WebhookCreationService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly guard: OutboundAddressService,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * An active webhook with a secret of its own: it is told of everything that is recorded from now on.
   * @throws VALIDATION_ERROR for an address that is never sent to, LIMIT_EXCEEDED, NOT_FOUND for a workspace that is gone
   */
  async create(workspace: WorkspaceScope, input: CreateWebhookRequest): Promise<WebhookResponse> {
    requireSendable(input.url, this.guard);
    const secret = newSecret();
    const record = await this.transactions.run(async () => {
      const record = await this.#insert(workspace, input, secret);
      await this.audit.record(workspace, {
        action: 'webhook.created',
        target: auditTarget(record._id),
        changes: auditedChanges(null, record),
      });
      return record;
    });
    return toWebhook(record, secret);
  }

  /** The workspace is claimed, so that of two who race for the last place one is run again and sees the other. */
  async #insert(
    { workspaceId, actor }: WorkspaceScope,
    { name, url, events, retryAttempts, timeoutMs }: CreateWebhookRequest,
    secret: string,
  ): Promise<WebhookRecord> {
    const { ownerId } = await this.limits.claim(workspaceId);
    if ((await this.webhooks.countDocuments({ workspaceId })) >= MOST_WEBHOOKS) throw tooManyWebhooks(MOST_WEBHOOKS);
    const _id = new Types.ObjectId();
    const created = await this.webhooks.create({
      _id,
      workspaceId,
      name,
      url,
      events,
      secret: this.box.seal(secret, secretOwner(workspaceId, _id)),
      retryAttempts,
      timeoutMs,
      status: 'active',
      periods: periodsWith([], events, this.clock.now()),
      // A key of the workspace stands for no person: its owner answers for what it does.
      createdBy: actor.userId ?? ownerId.toHexString(),
      stats: { totalDelivered: 0, totalFailed: 0, lastDeliveredAt: null },
    });
    return created.toObject<WebhookRecord>();
  }
}
