import { type MailboxMessageRecord } from '@domain/mailboxes';

/** The message that the thread began with, as far as this one knows. */
export function getThreadKey({
  references,
  inReplyTo,
  messageId,
  fingerprint,
}: Pick<MailboxMessageRecord, 'references' | 'inReplyTo' | 'messageId' | 'fingerprint'>): string {
  return references[0] ?? inReplyTo ?? messageId ?? fingerprint;
}
