import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { MAILBOX_SECRETS, type MailboxSecret, getMailboxSecretOwner } from './mailbox-secrets';
import { MailboxRecord } from './schemas/mailbox.record';

/** The path of each secret in the record. */
const PATHS: Record<MailboxSecret, string> = {
  smtp: 'smtpCredentials.password',
  imap: 'imapCredentials.password',
  refreshToken: 'oauthCredentials.refreshToken',
  accessToken: 'oauthCredentials.accessToken',
  serviceAccountKey: 'oauthCredentials.serviceAccountKey',
};

/** Registers the secrets of mailboxes for key rotation. */
@Injectable()
export class MailboxSecretListener implements OnModuleInit {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const secrets = MAILBOX_SECRETS.map((name) => ({
      path: PATHS[name],
      name,
      owner: ({ _id, workspaceId }: MailboxRecord) => getMailboxSecretOwner(workspaceId, _id, name),
    }));
    this.stores.add(encryptedFields(this.mailboxes, secrets, ['workspaceId']));
  }
}
