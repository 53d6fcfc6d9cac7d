import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type ClassifiedMessage } from './classified-message';

type Envelope = Pick<MailboxMessageRecord, 'role' | 'flags' | 'from'>;

/** Folders of what the mailbox's owner writes: nothing comes in there. */
const OWN_FOLDERS: ReadonlySet<MailboxMessageRecord['role']> = new Set(['sent', 'drafts'] as const);

/** Whether a message lies where nothing comes in. */
export function isOwnWriting({ role, flags }: Envelope): boolean {
  return flags.draft || OWN_FOLDERS.has(role);
}

const ASIDE: ReadonlySet<MailboxMessageRecord['role']> = new Set(['junk', 'promotions', 'trash'] as const);

/** Whether a message lies where mail is put that nobody wants to see. */
export function isInSideFolder(role: MailboxMessageRecord['role']): boolean {
  return ASIDE.has(role);
}

const REPORTERS = /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|bounces?|abuse|fbl|complaints?)(?:[+@.-]|$)/i;

/**
 * What a message is as far as its envelope tells, when nothing else of it can be read. An answer that was a machine's stops a
 * lead that need not have been stopped; the other way round somebody who has answered would be written to again.
 */
export function classifyByEnvelope({ from }: Envelope): ClassifiedMessage {
  const address = from?.address ?? '';
  if (address === '' || REPORTERS.test(address)) {
    return { kind: 'delayed', rule: 'envelope.reporter', originalMessageId: null };
  }
  return { kind: 'reply', rule: 'envelope' };
}

/** Message-IDs that a message refers to, the nearest first. */
export function getReferences({
  inReplyTo,
  references,
}: Pick<MailboxMessageRecord, 'inReplyTo' | 'references'>): string[] {
  return [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()])];
}
