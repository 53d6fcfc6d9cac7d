import { type Types } from 'mongoose';

/** The sealed fields of a mailbox. */
export const MAILBOX_SECRETS = ['smtp', 'imap', 'refreshToken', 'accessToken', 'serviceAccountKey'] as const;
export type MailboxSecret = (typeof MAILBOX_SECRETS)[number];

/** Whom a mailbox's secret is sealed for: copied to another mailbox, workspace or field, it stays shut. */
export function getSecretOwner(
  workspaceId: Types.ObjectId | string,
  mailboxId: Types.ObjectId | string,
  secret: MailboxSecret,
): string {
  return `${String(workspaceId)}/${String(mailboxId)}/${secret}`;
}
