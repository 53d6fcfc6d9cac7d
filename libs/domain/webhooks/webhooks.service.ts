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
import { getSecretOwner, createSecret } from './webhook-secrets';
import { findWebhook } from './webhook-lookup';
import { type CreateWebhookRequest, type UpdateWebhookRequest } from './dto/webhook-requests.dto';
import { tooManyWebhooks } from './webhook.errors';
import { updatePeriods } from './subscription-periods';
import { requireSendable } from './webhook-address';
import { getAuditedChanges, toAuditTarget } from './webhook-audit';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { getWebhookChanges } from './webhook-changes';
import { WebhookErasureService } from './webhook-erasure.service';

/** Fields that no list shows. */
const UNLISTED = ['periods', 'formerSecret', 'formerSecretUntil', 'lastError'];

/** Webhooks that a workspace may have. */
const MAX_WEBHOOKS = 50;

/** For how long the secret before a rotation signs as well: 24 hours. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** Webhooks as their users see them, with the secret that receivers check signatures with. */
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
   * An active webhook with a secret of its own: it is told of everything that is recorded from now on.
   * @throws VALIDATION_ERROR for an address that is never sent to, LIMIT_EXCEEDED, NOT_FOUND for a workspace that is gone
   */
  async create(workspace: WorkspaceScope, input: CreateWebhookRequest): Promise<WebhookResponse> {
    requireSendable(input.url, this.addresses);
    const secret = createSecret();
    const record = await this.transactions.run(async () => {
      const record = await this.#insert(workspace, input, secret);
      await this.audit.record(workspace, {
        action: 'webhook.created',
        target: toAuditTarget(record._id),
        changes: getAuditedChanges(null, record),
      });
      return record;
    });
    return toWebhook(record, secret);
  }

  /**
   * Changes what is given and leaves the rest. What is recorded from now on goes by the new settings; what is still to be
   * delivered goes to the new address. Switched off, nothing more is begun; switched on, what waited goes on.
   * @throws NOT_FOUND, VALIDATION_ERROR for an address that is never sent to
   */
  async update(workspace: WorkspaceScope, webhookId: string, input: UpdateWebhookRequest): Promise<WebhookResponse> {
    const record = await this.transactions.run(async () => {
      const before = await findWebhook(this.webhooks, workspace, webhookId);
      if (input.url !== undefined) requireSendable(input.url, this.addresses);
      const changes = getWebhookChanges(before, input, this.clock.now());
      return Object.keys(changes).length === 0 ? before : this.#write(workspace, before, changes);
    });
    // Also when nothing was to be done: whoever asks again may not have got the first answer.
    if (record.status === 'active') await this.partitions.enqueue(workspace.workspaceId, [webhookId]);
    return this.show(record);
  }

  /**
   * Gives the webhook a new secret. For 24 hours everything is signed with the one before, too; one that is older still stops
   * to be valid at once.
   * @throws NOT_FOUND
   */
  async rotateSecret(workspace: WorkspaceScope, webhookId: string): Promise<WebhookResponse> {
    const secret = createSecret();
    const record = await this.transactions.run(async () => {
      const before = await findWebhook(this.webhooks, workspace, webhookId);
      const { _id, workspaceId } = before;
      const $set = {
        secret: this.box.seal(secret, getSecretOwner(workspaceId, _id)),
        formerSecret: before.secret,
        formerSecretUntil: this.clock.in(SECRET_OVERLAP_MS),
      };
      await this.audit.record(workspace, { action: 'webhook.secret_rotated', target: toAuditTarget(_id) });
      return this.webhooks
        .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
        .lean<WebhookRecord>()
        .orFail();
    });
    return toWebhook(record, secret);
  }

  /**
   * The webhook is gone at once, with its secrets; nothing more is begun for it. What it was sent is erased by the worker.
   * @throws NOT_FOUND
   */
  async delete(workspace: WorkspaceScope, webhookId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const record = await findWebhook(this.webhooks, workspace, webhookId);
      const { _id, workspaceId } = record;
      await this.webhooks.deleteOne({ _id, workspaceId });
      await this.erasure.markDeleted({ _id, workspaceId });
      const changes = getAuditedChanges(record, null);
      await this.audit.record(workspace, { action: 'webhook.deleted', target: toAuditTarget(_id), changes });
    });
    return { message: 'Webhook deleted' };
  }

  #openSecret({ _id, workspaceId, secret }: WebhookRecord): string {
    return this.box.open(secret, getSecretOwner(workspaceId, _id));
  }

  /** The workspace is claimed, so that of two who race for the last place one is run again and sees the other. */
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
      secret: this.box.seal(secret, getSecretOwner(workspaceId, _id)),
      retryAttempts,
      timeoutMs,
      status: 'active',
      periods: updatePeriods([], events, this.clock.now()),
      // A key of the workspace stands for no person: its owner answers for what it does.
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
    const changes = getAuditedChanges(before, after);
    await this.audit.record(workspace, { action: 'webhook.updated', target: toAuditTarget(_id), changes });
    const mayGoOn = after.status === 'active' && $set.failingSince === null;
    if (mayGoOn) await this.partitions.schedule(workspace.workspaceId, [_id.toHexString()], this.clock.now());
    return after;
  }
}
