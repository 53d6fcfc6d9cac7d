import { type TestMailboxRequest } from './mailbox-test.dto';
import { type CreateMailboxRequest, type UpdateMailboxRequest } from './mailbox-requests.dto';
import { type StartOAuthRequest } from './oauth.dto';
import { type ConnectServiceAccountRequest } from './service-account.dto';

/** Example request bodies for the API documentation. */
export const MAILBOX_EXAMPLES: {
  create: CreateMailboxRequest;
  update: UpdateMailboxRequest;
  test: TestMailboxRequest;
  startOAuth: StartOAuthRequest;
  connectServiceAccount: ConnectServiceAccountRequest;
} = {
  create: {
    email: 'ada@example.com',
    displayName: 'Ada Lovelace',
    smtpHost: 'smtp.example.com',
    smtpPort: 587,
    smtpSecure: false,
    smtpPassword: 'application-password',
    imapHost: 'imap.example.com',
    imapPort: 993,
    imapSecure: true,
    dailySendLimit: 40,
    timezone: 'Europe/Berlin',
  },
  update: { dailySendLimit: 60, sendGapSeconds: 90, tags: ['sales'] },
  test: { sendTo: 'me@example.com' },
  startOAuth: { loginHint: 'ada@example.com', redirectUrl: 'https://app.example.com/mailboxes' },
  connectServiceAccount: {
    email: 'ada@example.com',
    displayName: 'Ada Lovelace',
    serviceAccountKey: {
      type: 'service_account',
      client_email: 'outreach@my-project.iam.gserviceaccount.com',
      private_key_id: '0123456789abcdef',
      private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
    },
  },
};
