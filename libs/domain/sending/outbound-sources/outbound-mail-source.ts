import { type ComposedMessage, type ServerReply } from '@adapters/mail';
import { type MailboxRecord } from '@domain/mailboxes';

/** How it is counted: what is sent aside is warmup. */
export const WARMUP_METRIC_SOURCE = { isWarmup: true } as const;

/** A mail that the engine knows nothing of. */
export interface OutboundMail {
  /** The same for every attempt. */
  readonly id: string;
  /** Attempts, the present one included once it is claimed. */
  readonly attempt: number;
  /** When it was claimed; null before. */
  readonly claimedAt: Date | null;
}

/** What became of a mail that was not given back. Nothing of it is about the mailbox itself: that is dealt with already. */
export type OutboundMailOutcome =
  | { readonly kind: 'sent' }
  /** Put off by a server: it is due again at that time. */
  | { readonly kind: 'deferred'; readonly reason: string; readonly dueAt: Date }
  /** Refused for good: for the recipient's or the content's sake, or because nobody knows why. */
  | { readonly kind: 'refused'; readonly reason: string; readonly words: ServerReply | null }
  /** Refused for good for the sender's sake: its mailbox is stopped. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** Put off once too often. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Given to a server that has not answered: never to be given again. */
  | { readonly kind: 'ambiguous'; readonly reason: string };

/**
 * What another domain sends in the turns of mailboxes. Each change of a mail is guarded by the state that it leaves and by the
 * number (fence) of the turn that has it, so that of two who want to change it one does nothing and is told so.
 */
export interface OutboundMailSource<M extends OutboundMail> {
  /**
   * Mails that an earlier turn had claimed when its worker died, and that no server was given: they are released. Those that a
   * server may have been given are ended here, as ambiguous. Called first in each turn.
   */
  listLeft(mailbox: MailboxRecord): Promise<readonly M[]>;
  /** What is to go now, if anything; called when the mailbox may send. */
  next(mailbox: MailboxRecord, now: Date): Promise<M | null>;
  /** Takes it for a turn; joins the running transaction. null when it has changed since. */
  claim(mail: M, fence: number, at: Date): Promise<M | null>;
  /** Builds the message, once it is claimed. */
  message(mailbox: MailboxRecord, mail: M): Promise<ComposedMessage>;
  /** The last word before a server is given the message: from then on the mail is ambiguous. False: it must not be given. */
  markSending(mail: M, at: Date): Promise<boolean>;
  /**
   * No server was given it, or it stayed a draft: it waits as before the claim. Joins the running transaction. False when somebody
   * else has changed it since: one that was taken for dead may have given it away in that moment.
   */
  release(mail: M, reason: string): Promise<boolean>;
  /** Writes what became of it; joins the running transaction. False when it is not this turn's any more. */
  settle(mail: M, outcome: OutboundMailOutcome, at: Date): Promise<boolean>;
}

/** How a turn has ended. */
export type OutboundRunEnd =
  /** Somebody else has the mailbox's turn, or took it away. */
  | { readonly kind: 'busy' }
  /** The mailbox is gone, or its workspace is. */
  | { readonly kind: 'gone' }
  /** The mailbox may not send; until when, if that is known. */
  | { readonly kind: 'wait'; readonly until: Date | null }
  /** There was nothing to send, or it was changed by somebody else. */
  | { readonly kind: 'nothing' }
  /** A mail was tried. */
  | { readonly kind: 'tried'; readonly isReleased: boolean; readonly until: Date | null };
