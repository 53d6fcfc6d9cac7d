import { type ComposedMessage, type ServerReply } from '@adapters/mail';
import { type MailboxRecord } from '@domain/mailboxes';

/** The metric label of mail from outbound sources: all of it is warmup. */
export const WARMUP_METRIC_SOURCE = { isWarmup: true } as const;

/** A mail of an outbound source. */
export interface OutboundMail {
  /** The same for every attempt. */
  readonly id: string;
  /** Attempts, the present one included once it is claimed. */
  readonly attempt: number;
  /** When it was claimed; null before. */
  readonly claimedAt: Date | null;
}

/** The outcome of a mail that was not released. Consequences for the mailbox itself are already written. */
export type OutboundMailOutcome =
  | { readonly kind: 'sent' }
  /** Deferred by a server: it is due again at that time. */
  | { readonly kind: 'deferred'; readonly reason: string; readonly dueAt: Date }
  /** Permanently refused because of the recipient or the content, or for an unknown reason. */
  | { readonly kind: 'refused'; readonly reason: string; readonly lastReply: ServerReply | null }
  /** Permanently refused because of the sender: its mailbox is stopped. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** Deferred more often than allowed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Handed over to a server that gave no answer: there is no second handover. */
  | { readonly kind: 'ambiguous'; readonly reason: string };

/**
 * Mail that another domain offers to the mailbox sender. Each change of a mail is guarded by the state that it leaves and by
 * the fence of the mailbox lease. Of two concurrent changes one writes nothing and returns false or null.
 */
export interface OutboundMailSource<M extends OutboundMail> {
  /**
   * Lists mails that a crashed worker had claimed without a handover: they are released. Mails that a server may have are
   * settled here as ambiguous. Called first in each run.
   */
  listLeft(mailbox: MailboxRecord): Promise<readonly M[]>;
  /** Returns the mail to send now, or null; called when the mailbox may send. */
  next(mailbox: MailboxRecord, now: Date): Promise<M | null>;
  /** Claims the mail under a lease; joins the running transaction. Null when it was changed concurrently. */
  claim(mail: M, fence: number, at: Date): Promise<M | null>;
  /** Builds the message, once it is claimed. */
  message(mailbox: MailboxRecord, mail: M): Promise<ComposedMessage>;
  /** Marks the mail right before its handover: from then on it is ambiguous. False: no handover may follow. */
  markSending(mail: M, at: Date): Promise<boolean>;
  /**
   * Releases a mail that was not handed over, or that stayed a draft. Joins the running transaction. False when the mail was
   * changed concurrently: a worker that seemed to have crashed may have sent it.
   */
  release(mail: M, reason: string): Promise<boolean>;
  /** Writes the outcome; joins the running transaction. False when the mail no longer belongs to this lease. */
  settle(mail: M, outcome: OutboundMailOutcome, at: Date): Promise<boolean>;
}

/** How a run has ended. */
export type OutboundRunEnd =
  /** Another worker holds the mailbox lease, or acquired it meanwhile. */
  | { readonly kind: 'busy' }
  /** The mailbox or its workspace was deleted. */
  | { readonly kind: 'gone' }
  /** The mailbox may not send; until when, if that is known. */
  | { readonly kind: 'wait'; readonly until: Date | null }
  /** There was nothing to send, or the mail was changed concurrently. */
  | { readonly kind: 'nothing' }
  /** A mail was attempted. */
  | { readonly kind: 'tried'; readonly isReleased: boolean; readonly until: Date | null };
