import { type ComposedMessage, type ServerReply } from '@adapters/mail';
import { type MailboxRecord } from '@domain/mailboxes';

/** The metric label of mail from outbound sources; currently all of it is warmup. */
export const WARMUP_METRIC_SOURCE = { isWarmup: true } as const;

/** A mail of an outbound source. */
export interface OutboundMail {
  /** Stays the same for every attempt. */
  readonly id: string;
  /** Number of attempts, including the current one once it is claimed. */
  readonly attempt: number;
  /** When it was claimed; null before. */
  readonly claimedAt: Date | null;
}

/** The outcome of a mail that was not released. Consequences for the mailbox itself are already written. */
export type OutboundMailOutcome =
  | { readonly kind: 'sent' }
  /** Deferred by a server: it is due again at that time. */
  | { readonly kind: 'deferred'; readonly reason: string; readonly dueAt: Date }
  /** Refused permanently because of the recipient or the content, or for an unknown reason. */
  | { readonly kind: 'refused'; readonly reason: string; readonly lastReply: ServerReply | null }
  /** Refused permanently because of the sender: its mailbox is stopped. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** Deferred more often than allowed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Handed over to a server that did not answer: there is no second handover. */
  | { readonly kind: 'ambiguous'; readonly reason: string };

/**
 * Mail that another domain offers to the mailbox sender. Each change is guarded by the previous state of the mail and
 * by the fence of the mailbox lease. Of two concurrent changes, one writes nothing and returns false or null.
 */
export interface OutboundMailSource<M extends OutboundMail> {
  /**
   * Lists mails that a crashed worker had claimed without a handover, for their release. Mails that a server may have
   * are settled here as ambiguous. Called first in each run.
   */
  listLeft(mailbox: MailboxRecord): Promise<readonly M[]>;
  /** Returns the mail to send now, or null; called when the mailbox may send. */
  next(mailbox: MailboxRecord, now: Date): Promise<M | null>;
  /** Claims the mail under a lease; joins the running transaction. Null if the mail was changed concurrently. */
  claim(mail: M, fence: number, at: Date): Promise<M | null>;
  /** Builds the message of a claimed mail. */
  message(mailbox: MailboxRecord, mail: M): Promise<ComposedMessage>;
  /** Marks the mail right before its handover: from then on it is ambiguous. False forbids the handover. */
  markSending(mail: M, at: Date): Promise<boolean>;
  /**
   * Releases a mail that was not handed over, or that stayed a draft. Joins the running transaction. False if the mail
   * was changed concurrently: a worker that seemed to have crashed may have sent it.
   */
  release(mail: M, reason: string): Promise<boolean>;
  /** Writes the outcome; joins the running transaction. False if the mail no longer belongs to this lease. */
  settle(mail: M, outcome: OutboundMailOutcome, at: Date): Promise<boolean>;
}

/** How a run ended. */
export type OutboundRunEnd =
  /** Another worker holds or has just acquired the mailbox lease. */
  | { readonly kind: 'busy' }
  /** The mailbox or its workspace was deleted. */
  | { readonly kind: 'gone' }
  /** The mailbox may not send; until when, if known. */
  | { readonly kind: 'wait'; readonly until: Date | null }
  /** There was nothing to send, or the mail was changed concurrently. */
  | { readonly kind: 'nothing' }
  /** The run attempted a mail. */
  | { readonly kind: 'tried'; readonly isReleased: boolean; readonly until: Date | null };
