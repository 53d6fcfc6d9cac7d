import { getChanges } from '@domain/audit';
import { type MailboxRecord } from './schemas/mailbox.record';

const FIELDS = [
  'email',
  'displayName',
  'provider',
  'connectionType',
  'dailySendLimit',
  'sendGapSeconds',
  'timezone',
  'sendingEnabled',
  'tags',
  'signature',
  'smtpHost',
  'smtpPort',
  'smtpSecure',
  'smtpUsername',
  'imapHost',
  'imapPort',
  'imapSecure',
  'imapUsername',
  'credentialsRevision',
] as const;
const SHOWN_OF_SIGNATURE = 500;

/** The audited changes: settings and user names; of credentials only the fact that they changed. */
export function getAuditedMailboxChanges(before: MailboxRecord | null, after: MailboxRecord) {
  return getChanges(before && toAudited(before), toAudited(after), FIELDS);
}

export function toMailboxTarget(mailboxId: { toString(): string }) {
  return { type: 'mailbox', id: String(mailboxId) } as const;
}

function toAudited(record: MailboxRecord) {
  const { signature, smtpCredentials, imapCredentials, ...fields } = record;
  return {
    ...fields,
    signature: signature.length > SHOWN_OF_SIGNATURE ? `${signature.slice(0, SHOWN_OF_SIGNATURE)}…` : signature,
    smtpUsername: smtpCredentials?.user ?? null,
    imapUsername: imapCredentials?.user ?? null,
  };
}
