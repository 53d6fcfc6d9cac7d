import { type ComposedMessage, type SendOutcome } from '@adapters/mail';
import { type MailboxRecord } from '@domain/mailboxes';
import { defineHook } from '@platform/hooks';
import { type Types } from 'mongoose';
import { type HandoverLimits, type MessageHandover } from './message-handover.service';
import { type Verdict } from './outcome-decision';
import { type SenderMailbox, type SenderRun } from './sender-run';

/** A claimed mail. */
export interface OutboundMail {
  /** Stays the same for every attempt. */
  readonly id: string;
  /** Number of attempts, including this one. */
  readonly attempt: number;
  readonly claimedAt: Date;
  /** Suppressed when its server says that it does not exist; null for an address that is not suppressed. */
  readonly recipient: MailRecipient | null;
  readonly campaignId?: string;
}

export interface MailRecipient {
  readonly email: string;
  /** Null for a mail outside of campaigns. */
  readonly sendId: string | null;
}

/** What a source has to send now, or when to ask again. */
export type MailOffer<O> =
  | { readonly kind: 'mail'; readonly mail: O }
  | {
      readonly kind: 'wait';
      /** Null when nothing waits for a time. */
      readonly nextAt: Date | null;
      /** A run at that time may find nothing to send. */
      readonly isPoll: boolean;
    };

/** What changed since the offer: the mail, or the mailbox's right to send it. */
export type SupersededPart = 'mail' | 'mailbox';

/** The claim of a mail under a mailbox lease. */
export interface MailClaim {
  readonly mailbox: SenderMailbox;
  readonly at: Date;
  /**
   * Runs the writes of the claim in one transaction with the mailbox's budget. Nothing is written when they return what
   * has changed, when the lease was lost or when the mailbox was stopped.
   */
  readonly withBudget: <M extends object>(write: () => Promise<M | SupersededPart>) => Promise<M | SupersededPart>;
}

/** The composed message of a claimed mail. */
export interface ComposedMail<M> {
  readonly message: ComposedMessage;
  /** The mail with what was rendered for it. */
  readonly mail: M;
  /** The provider's thread of the message. */
  readonly threadId?: string | null;
}

/** An attempt with its verdict. */
export interface AttemptedMail<V extends Verdict = Verdict> {
  readonly handover: MessageHandover;
  readonly verdict: V;
  /** The moment of the server's reply. */
  readonly now: Date;
}

export type ReleasedMail = AttemptedMail<Extract<Verdict, { kind: 'release' }>>;
export type SettledMail = AttemptedMail<Exclude<Verdict, { kind: 'release' }>>;

/** A mail that a crashed worker left. */
export interface LeftMail {
  readonly id: string;
  /** Null if no budget was used for it. */
  readonly claimedAt: Date | null;
  /** When its handover began, so that a server may have it; null if it was only claimed. */
  readonly handoverAt: Date | null;
  /** Releases the claim; joins the transaction. False if the mail was changed concurrently: it may have been sent. */
  readonly release: (reason: string) => Promise<boolean>;
  /** Leaves the handover to its resolution; joins the transaction. False if its worker has settled it. */
  readonly settle: (reason: string, now: Date) => Promise<boolean>;
}

/** What became of an ambiguous mail. */
export type MailResolution =
  | { readonly kind: 'found'; readonly providerMessageId: string | null; readonly providerThreadId: string | null }
  /** The source itself knows that it arrived. */
  | { readonly kind: 'proven' }
  /** No proof in six hours: it counts as sent. */
  | { readonly kind: 'unconfirmed' }
  /** Proof that it was not sent: it is due again. */
  | { readonly kind: 'not_sent'; readonly now: Date };

/** A mail whose server may have it. */
export interface AmbiguousMail {
  readonly id: string;
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
  readonly messageId: string;
  readonly draftId: string | null;
  readonly handoverAt: Date;
  /** Claims the due resolution by scheduling the next one; false when another worker has claimed it. */
  readonly reschedule: (at: Date) => Promise<boolean>;
  readonly isProven: () => Promise<boolean>;
  /** Joins the transaction; false when the mail is no longer ambiguous. @param mailbox null when it was deleted */
  readonly resolve: (resolution: MailResolution, mailbox: MailboxRecord | null) => Promise<boolean>;
}

/**
 * Mail that a domain sends from mailboxes: what is next, how to compose it, and what follows from the outcome. The
 * pipeline does the rest. Each change is guarded by the previous state of the mail and by the fence of the mailbox lease:
 * of two concurrent changes one writes nothing and says so.
 */
export interface OutboundMailSource<O, M extends OutboundMail> {
  readonly name: string;
  /** Its mail uses the share of the daily limit that is reserved for warmup. */
  readonly isWarmup: boolean;
  /** Lists what a crashed worker left. Called first in each run. */
  listLeft(run: SenderRun): Promise<readonly LeftMail[]>;
  next(run: SenderRun, now: Date): Promise<MailOffer<O>>;
  claim(mail: O, claim: MailClaim): Promise<M | SupersededPart>;
  /** Called when the claim has ended. @param claimed null if it failed */
  claimEnded?(mail: O, claimed: M | null): Promise<void>;
  /** Called for a mail that was changed since its offer. True if the run continues at once. */
  skip?(mail: O): Promise<boolean>;
  /** Called before the composition. Returns why the mail is not handed over now; null to go on. */
  prepare?(mailbox: MailboxRecord, mail: M, limits: HandoverLimits): Promise<SendOutcome | null>;
  /** An error defers the mail as its server would, so that others need not wait. */
  compose(mailbox: MailboxRecord, mail: M): Promise<ComposedMail<M>>;
  /** Records that the handover comes late. */
  recordLate?(mail: M, now: Date): Promise<void>;
  /**
   * The last check before the handover. A change that forbids the mail is stored before its claim is withheld: either
   * this check sees the change, or the claim is gone when it is marked.
   */
  allows(mail: M): Promise<boolean>;
  /** Marks the mail right before its handover: from then on a server may have it. False forbids the handover. */
  markSending(mail: M, handover: { readonly draftId: string | null; readonly at: Date }): Promise<boolean>;
  /** Writes an accepted mail with those of other mailboxes; false if it must be written alone. */
  settleTogether?(mailbox: MailboxRecord, mail: M, attempted: SettledMail): Promise<boolean>;
  /** Writes the outcome; joins the transaction. False if the mail no longer belongs to this lease. */
  settle(mailbox: MailboxRecord, mail: M, attempted: SettledMail): Promise<boolean>;
  /** Releases a mail that no server has; joins the transaction. False if it no longer belongs to this lease. */
  release(mail: M, attempted: ReleasedMail): Promise<boolean>;
  /** Called after the outcome was written; a crash before it loses no mail. True if the run continues at once. */
  settled?(mail: M, attempted: AttemptedMail & { readonly isWritten: boolean }): Promise<boolean>;
  /** Lists ambiguous mail of all workspaces whose resolution is due, the longest overdue first. */
  listAmbiguous?(now: Date, limit: number): Promise<readonly AmbiguousMail[]>;
  /** Called at the end of a run with the time of the next one. */
  recordNextRun?(mailboxId: string, next: { readonly nextAt: Date | null; readonly isPoll: boolean }): void;
}

export type AnyMailSource = OutboundMailSource<unknown, OutboundMail>;

/** The sources of which every run of a mailbox sends, the most urgent first: those of lower domains. */
export const OUTBOUND_MAIL_SOURCES = defineHook<AnyMailSource>('outbound-mail-sources', { key: 'name' });
