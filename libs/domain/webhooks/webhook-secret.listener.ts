import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { WebhookRecord } from './schemas/webhook.record';
import { getWebhookSecretOwner, WEBHOOK_SECRETS } from './webhook-secrets';

/** Registers the secrets of webhooks for key rotation. */
@Injectable()
export class WebhookSecretListener implements OnModuleInit {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const secrets = WEBHOOK_SECRETS.map((name) => ({
      path: name,
      name,
      owner: ({ _id, workspaceId }: WebhookRecord) => getWebhookSecretOwner(workspaceId, _id),
    }));
    this.stores.add(encryptedFields(this.webhooks, secrets, ['workspaceId']));
  }
}
