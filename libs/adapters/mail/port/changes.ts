import { type FolderRole } from './folder';

/** Names one message of a mailbox. It holds until the message is moved; Graph's ids are immutable and survive a move. */
export interface MessageRef {
  /** Id of a folder that holds it. */
  readonly folder: string;
  /** IMAP: `<uidValidity>:<uid>`; Gmail, Graph: the vendor's message id. */
  readonly id: string;
}

export interface MailAddress {
  readonly name: string;
  /** As written, without angle brackets. Empty when it could not be read. */
  readonly address: string;
}

export interface MessageFlags {
  readonly seen: boolean;
  readonly answered: boolean;
  readonly flagged: boolean;
  readonly draft: boolean;
}

/** What a list of mail shows of a message. Header values are decoded; what is missing or unreadable is null or empty. */
export interface MessageSummary {
  /** With angle brackets. */
  readonly messageId: string | null;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  /** The Date header. */
  readonly date: Date | null;
}

interface ChangeBase {
  readonly ref: MessageRef;
  /** Role of the folder that holds it, null for other folders. */
  readonly role: FolderRole | null;
}

/** A message that was not there at the last cursor: new mail, or mail that was moved here. */
export interface NewMessage extends ChangeBase {
  readonly kind: 'message';
  /**
   * The same for the same message wherever it lies and however often it is reported: whoever stores messages is unique by
   * it (`getFingerprint`).
   */
  readonly fingerprint: string;
  /** When the server took it in. */
  readonly receivedAt: Date;
  /** Bytes of the whole message. */
  readonly size: number;
  readonly flags: MessageFlags;
  readonly summary: MessageSummary;
  /** The vendor's conversation (Gmail, Graph). */
  readonly threadId: string | null;
}

/** A message that the server has but cannot or will not show. It is passed over: a mailbox never stands still for it. */
export interface UnreadableMessage extends ChangeBase {
  readonly kind: 'unreadable';
  readonly reason: string;
}

/** The flags of a known message changed. */
export interface FlagsChanged extends ChangeBase {
  readonly kind: 'flags';
  readonly flags: MessageFlags;
}

/** A message left this place: deleted, or moved (then its new place is reported as a `message` too). */
export interface MessageDeleted extends ChangeBase {
  readonly kind: 'gone';
}

/** A message changed its place and kept its id (Gmail's labels, Graph's immutable ids). `role` is the new one. */
export interface MessageMoved extends ChangeBase {
  readonly kind: 'moved';
}

export type MailChange = NewMessage | UnreadableMessage | FlagsChanged | MessageDeleted | MessageMoved;

export interface SyncRequest {
  /** From the last batch whose changes were stored; null the first time. */
  readonly cursor: string | null;
  /**
   * Messages that the server received from then on are reported when there is no cursor, or when the server can no longer
   * tell what happened since (UIDVALIDITY changed, history expired). Older ones are not.
   */
  readonly since: Date;
  /** Most changes of one batch, 1 to 500. */
  readonly limit: number;
  /** Folders that are looked at. Default inbox, promotions and junk. */
  readonly roles?: readonly FolderRole[];
  readonly signal?: AbortSignal;
}

export interface SyncBatch {
  readonly changes: readonly MailChange[];
  /** Store it together with the changes, or after them, never before: what comes next starts behind them. */
  readonly cursor: string;
  /** More is waiting: ask again at once. */
  readonly more: boolean;
  /** Folders that had to be read anew; messages that were reported before may be in `changes` once more. */
  readonly restarted: readonly string[];
}
