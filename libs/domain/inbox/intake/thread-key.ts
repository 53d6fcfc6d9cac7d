import { type MailboxMessageRecord } from '@domain/mailboxes';

/** Returns the Message-ID that began the thread, as far as the headers name it. */
export function getThreadKey({
  references,
  inReplyTo,
  messageId,
  fingerprint,
}: Pick<MailboxMessageRecord, 'references' | 'inReplyTo' | 'messageId' | 'fingerprint'>): string {
  return references[0] ?? inReplyTo ?? messageId ?? fingerprint;
}
