import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService, type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, TransactionService } from '@platform/database';
import { OutboundAddressService } from '@platform/outbound';
import { SecretBoxService } from '@platform/secrets';
import { type PageQuery } from '@platform/validation';
import { type Model, Types } from 'mongoose';
import { type ListedWebhookResponse, toListedWebhook, toWebhook, type WebhookResponse } from './dto/webhook.dto';
import { WebhookRecord } from './schemas/webhook.record';
import { getWebhookSecretOwner, createSecret } from './webhook-secrets';
import { findWebhook } from './webhook-lookup';
import { type CreateWebhookRequest, type UpdateWebhookRequest } from './dto/webhook-requests.dto';
import { tooManyWebhooks } from './webhook.errors';
import { updatePeriods } from './subscription-periods';
import { requireSendable } from './webhook-address';
import { getAuditedWebhookChanges, toWebhookTarget } from './webhook-audit';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { getWebhookChanges } from './webhook-changes';
import { WebhookErasureService } from './webhook-erasure.service';

/** Fields that lists omit. */
const UNLISTED = ['periods', 'previousSecret', 'previousSecretUntil', 'lastError'];

/** Maximum number of webhooks of a workspace. */
const MAX_WEBHOOKS = 50;

/** How long the previous secret also signs after a rotation: 24 hours. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** Webhooks of a workspace, with the secret by which receivers verify signatures. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly box: SecretBoxService,
    private readonly pages: PageService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly addresses: OutboundAddressService,
    private readonly clock: ClockPort,
    private readonly partitions: WebhookWorkPartitionService,
    private readonly erasure: WebhookErasureService,
  ) {}

  /** Newest first. */
  async list({ workspaceId }: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<ListedWebhookResponse>> {
    return this.pages.read(
      this.webhooks,
      { scope: workspaceId, filter: { workspaceId }, without: UNLISTED, page: { limit, cursor } },
      (record) => toListedWebhook(record, this.#openSecret(record)),
    );
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, webhookId: string): Promise<WebhookResponse> {
    return this.show(await findWebhook(this.webhooks, workspace, webhookId));
  }

  /** A stored webhook as the API shows it. */
  show(record: WebhookRecord): WebhookResponse {
    return toWebhook(record, this.#openSecret(record));
  }

  /**
   * Creates an active webhook with its own secret; it receives the events recorded from now on.
   * @throws VALIDATION_ERROR for a forbidden address, LIMIT_EXCEEDED, NOT_FOUND for a deleted workspace
   */
  async create(workspace: WorkspaceScope, input: CreateWebhookRequest): Promise<WebhookResponse> {
    requireSendable(input.url, this.addresses);
    const secret = createSecret();
    const record = await this.transactions.run(async () => {
      const record = await this.#insert(workspace, input, secret);
      await this.audit.record(workspace, {
        action: 'webhook.created',
        target: toWebhookTarget(record._id),
        changes: getAuditedWebhookChanges(null, record),
      });
      return record;
    });
    return toWebhook(record, secret);
  }

  /**
   * Changes the given fields. New events follow the new settings; pending deliveries go to the new address. An
   * inactive webhook gets no attempts; an activated one resumes its pending deliveries.
   * @throws NOT_FOUND, VALIDATION_ERROR for a forbidden address
   */
  async update(workspace: WorkspaceScope, webhookId: string, input: UpdateWebhookRequest): Promise<WebhookResponse> {
    const record = await this.transactions.run(async () => {
      const before = await findWebhook(this.webhooks, workspace, webhookId);
      if (input.url !== undefined) requireSendable(input.url, this.addresses);
      const changes = getWebhookChanges(before, input, this.clock.now());
      return Object.keys(changes).length === 0 ? before : this.#write(workspace, before, changes);
    });
    // Also without a change: a repeated request may not have received the first response.
    if (record.status === 'active') await this.partitions.enqueue(workspace.workspaceId, [webhookId]);
    return this.show(record);
  }

  /**
   * Gives the webhook a new secret. The previous one also signs for 24 hours; an older one becomes invalid at once.
   * @throws NOT_FOUND
   */
  async rotateSecret(workspace: WorkspaceScope, webhookId: string): Promise<WebhookResponse> {
    const secret = createSecret();
    const record = await this.transactions.run(async () => {
      const before = await findWebhook(this.webhooks, workspace, webhookId);
      const { _id, workspaceId } = before;
      const $set = {
        secret: this.box.seal(secret, getWebhookSecretOwner(workspaceId, _id)),
        previousSecret: before.secret,
        previousSecretUntil: this.clock.in(SECRET_OVERLAP_MS),
      };
      await this.audit.record(workspace, { action: 'webhook.secret_rotated', target: toWebhookTarget(_id) });
      return this.webhooks
        .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
        .lean<WebhookRecord>()
        .orFail();
    });
    return toWebhook(record, secret);
  }

  /**
   * Deletes the webhook and its secrets at once; no further attempt starts. The worker erases its deliveries.
   * @throws NOT_FOUND
   */
  async delete(workspace: WorkspaceScope, webhookId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const record = await findWebhook(this.webhooks, workspace, webhookId);
      const { _id, workspaceId } = record;
      await this.webhooks.deleteOne({ _id, workspaceId });
      await this.erasure.markDeleted({ _id, workspaceId });
      const changes = getAuditedWebhookChanges(record, null);
      await this.audit.record(workspace, { action: 'webhook.deleted', target: toWebhookTarget(_id), changes });
    });
    return { message: 'Webhook deleted' };
  }

  #openSecret({ _id, workspaceId, secret }: WebhookRecord): string {
    return this.box.open(secret, getWebhookSecretOwner(workspaceId, _id));
  }

  /** Claims the workspace, so that one of two concurrent creations is retried and sees the other. */
  async #insert(
    { workspaceId, actor }: WorkspaceScope,
    { name, url, events, retryAttempts, timeoutMs }: CreateWebhookRequest,
    secret: string,
  ): Promise<WebhookRecord> {
    const { ownerId } = await this.limits.claim(workspaceId);
    if ((await this.webhooks.countDocuments({ workspaceId })) >= MAX_WEBHOOKS) throw tooManyWebhooks(MAX_WEBHOOKS);
    const _id = new Types.ObjectId();
    const created = await this.webhooks.create({
      _id,
      workspaceId,
      name,
      url,
      events,
      secret: this.box.seal(secret, getWebhookSecretOwner(workspaceId, _id)),
      retryAttempts,
      timeoutMs,
      status: 'active',
      periods: updatePeriods([], events, this.clock.now()),
      // A workspace key belongs to no person: the workspace owner counts as the creator.
      createdBy: actor.userId ?? ownerId.toHexString(),
      stats: { totalDelivered: 0, totalFailed: 0, lastDeliveredAt: null },
    });
    return created.toObject<WebhookRecord>();
  }

  async #write(workspace: WorkspaceScope, before: WebhookRecord, $set: Partial<WebhookRecord>): Promise<WebhookRecord> {
    const { _id, workspaceId } = before;
    const after = await this.webhooks
      .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
      .lean<WebhookRecord>()
      .orFail();
    const changes = getAuditedWebhookChanges(before, after);
    await this.audit.record(workspace, { action: 'webhook.updated', target: toWebhookTarget(_id), changes });
    const mayGoOn = after.status === 'active' && $set.failingSince === null;
    if (mayGoOn) await this.partitions.schedule(workspace.workspaceId, [_id.toHexString()], this.clock.now());
    return after;
  }
}
