import { type Types } from 'mongoose';

/** The sealed fields of a mailbox. */
export const MAILBOX_SECRETS = ['smtp', 'imap', 'refreshToken', 'accessToken', 'serviceAccountKey'] as const;
export type MailboxSecret = (typeof MAILBOX_SECRETS)[number];

/** The owner of a sealed secret: a copy in another mailbox, workspace or field cannot be opened. */
export function getMailboxSecretOwner(
  workspaceId: Types.ObjectId | string,
  mailboxId: Types.ObjectId | string,
  secret: MailboxSecret,
): string {
  return `${String(workspaceId)}/${String(mailboxId)}/${secret}`;
}
