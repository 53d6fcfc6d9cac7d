import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { defineHook } from '@platform/hooks';
import { type MailHeaders } from '../classify/parsed-mail';
import { type ClassifiedMessage } from './classified-message';

/** The part of a fetched message that a claimer sees. */
export interface ClaimableMail {
  readonly classified: ClassifiedMessage;
  readonly headers: MailHeaders;
  /** Texts of other messages that this one returns, at least their headers. */
  readonly returned: readonly string[];
}

/**
 * A higher domain whose own mail arrives in the same mailboxes. A claimed message is classified as `skipped` with the name of
 * the claimer as rule. It begins no conversation and changes no lead, counter or suppression.
 */
export interface MailClaimer {
  /** Stored as the rule of the classification. */
  readonly name: string;

  /**
   * Returns the ids (hex) of messages that belong to the claimer by their envelopes. The claimer has applied all their effects
   * when it returns; it may receive the same message again.
   */
  claimEnvelopes(mailbox: MailboxRecord, messages: readonly MailboxMessageRecord[]): Promise<ReadonlySet<string>>;

  /** Whether a fetched message belongs to the claimer; the same rules apply. */
  claimOpened(mailbox: MailboxRecord, message: MailboxMessageRecord, opened: ClaimableMail): Promise<boolean>;
}

/** The domains whose own mail arrives in mailboxes. */
export const MAIL_CLAIMERS = defineHook<MailClaimer>('mail-claims', { key: 'name' });

/** Returns the names of claimers by id (hex) of the message. */
export async function claimEnvelopes(
  claimers: readonly MailClaimer[],
  mailbox: MailboxRecord,
  messages: readonly MailboxMessageRecord[],
): Promise<ReadonlyMap<string, string>> {
  const claimed = new Map<string, string>();
  for (const claimer of claimers) {
    const unclaimed = messages.filter(({ _id }) => !claimed.has(_id.toHexString()));
    if (unclaimed.length === 0) break;
    for (const id of await claimer.claimEnvelopes(mailbox, unclaimed)) claimed.set(id, claimer.name);
  }
  return claimed;
}

/** Returns the name of the claimer, or null. */
export async function claimOpened(
  claimers: readonly MailClaimer[],
  mailbox: MailboxRecord,
  message: MailboxMessageRecord,
  opened: ClaimableMail,
): Promise<string | null> {
  for (const claimer of claimers) {
    if (await claimer.claimOpened(mailbox, message, opened)) return claimer.name;
  }
  return null;
}
