import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type ClassifiedMessage } from './classified-message';

type Envelope = Pick<MailboxMessageRecord, 'role' | 'flags' | 'from'>;

/** Folders of the owner's own mail: no mail arrives there. */
const OWN_FOLDERS: ReadonlySet<MailboxMessageRecord['role']> = new Set(['sent', 'drafts'] as const);

/** Whether the owner of the mailbox wrote the message. */
export function isOwnWriting({ role, flags }: Envelope): boolean {
  return flags.draft || OWN_FOLDERS.has(role);
}

const SIDE_FOLDERS: ReadonlySet<MailboxMessageRecord['role']> = new Set(['junk', 'promotions', 'trash'] as const);

/** Whether the provider has filed the message as unwanted. */
export function isInSideFolder(role: MailboxMessageRecord['role']): boolean {
  return SIDE_FOLDERS.has(role);
}

const REPORTERS = /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|bounces?|abuse|fbl|complaints?)(?:[+@.-]|$)/i;

/**
 * Classifies a message by its envelope alone. In doubt it is a reply: wrongly stopping a lead after an automatic reply is
 * better than writing again to a person who has replied.
 */
export function classifyByEnvelope({ from }: Envelope): ClassifiedMessage {
  const address = from?.address ?? '';
  if (address === '' || REPORTERS.test(address)) {
    return { kind: 'delayed', rule: 'envelope.reporter', originalMessageId: null };
  }
  return { kind: 'reply', rule: 'envelope' };
}

/** Lists the Message-IDs that a message refers to, the nearest first. */
export function getReferences({
  inReplyTo,
  references,
}: Pick<MailboxMessageRecord, 'inReplyTo' | 'references'>): string[] {
  return [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()])];
}
