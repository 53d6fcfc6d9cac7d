import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { SecretBoxService } from '@platform/secrets';
import { type PageQuery } from '@platform/validation';
import { type Model } from 'mongoose';
import { type ListedWebhookResponse, toListedWebhook, toWebhook, type WebhookResponse } from './dto/webhook.dto';
import { WebhookRecord } from './schemas/webhook.record';
import { secretOwner } from './webhook-secrets';
import { findWebhook } from './webhook-lookup';

/** Fields that no list shows. */
const UNLISTED = ['periods', 'formerSecret', 'formerSecretUntil', 'lastError'];

/** Webhooks as their users see them, with the secret that receivers check signatures with. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly box: SecretBoxService,
    private readonly pages: PageService,
  ) {}

  /** Newest first. */
  async list({ workspaceId }: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<ListedWebhookResponse>> {
    return this.pages.read(
      this.webhooks,
      { scope: workspaceId, filter: { workspaceId }, without: UNLISTED, page: { limit, cursor } },
      (record) => toListedWebhook(record, this.#secretOf(record)),
    );
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, webhookId: string): Promise<WebhookResponse> {
    return this.shown(await findWebhook(this.webhooks, workspace, webhookId));
  }

  /** A stored webhook as the API shows it. */
  shown(record: WebhookRecord): WebhookResponse {
    return toWebhook(record, this.#secretOf(record));
  }

  #secretOf({ _id, workspaceId, secret }: WebhookRecord): string {
    return this.box.open(secret, secretOwner(workspaceId, _id));
  }
}
