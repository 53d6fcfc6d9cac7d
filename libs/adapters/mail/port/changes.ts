import { type FolderRole } from './folder';

/** Reference to a message of a mailbox, valid until the message is moved; Graph's immutable ids survive a move. */
export interface MessageRef {
  /** Id of a folder with the message. */
  readonly folder: string;
  /** IMAP: `<uidValidity>:<uid>`; Gmail, Graph: the vendor's message id. */
  readonly id: string;
}

export interface MailAddress {
  readonly name: string;
  /** As written, without angle brackets. Empty when it is unreadable. */
  readonly address: string;
}

export interface MessageFlags {
  readonly seen: boolean;
  readonly answered: boolean;
  readonly flagged: boolean;
  readonly draft: boolean;
}

/** The headers of a message for a list. Values are decoded; missing or unreadable ones are null or empty. */
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
  /** Role of its folder, null for a folder without a role. */
  readonly role: FolderRole | null;
}

/** A message that is new since the last cursor: received, or moved here. */
export interface NewMessage extends ChangeBase {
  readonly kind: 'message';
  /**
   * Equal for the same message in every folder and every report, so that stored messages are unique by it (`getFingerprint`).
   */
  readonly fingerprint: string;
  /** When the server received it. */
  readonly receivedAt: Date;
  /** Bytes of the whole message. */
  readonly size: number;
  readonly flags: MessageFlags;
  readonly summary: MessageSummary;
  /** The vendor's conversation (Gmail, Graph). */
  readonly threadId: string | null;
}

/** A message that the server has but does not return. The sync skips it, so that it does not block the mailbox. */
export interface UnreadableMessage extends ChangeBase {
  readonly kind: 'unreadable';
  readonly reason: string;
}

/** The flags of a known message changed. */
export interface FlagsChanged extends ChangeBase {
  readonly kind: 'flags';
  readonly flags: MessageFlags;
}

/** A message left its folder: deleted, or moved (then its new place is reported as a `message`). */
export interface MessageDeleted extends ChangeBase {
  readonly kind: 'gone';
}

/** A message was moved and kept its id (Gmail's labels, Graph's immutable ids). `role` is the new one. */
export interface MessageRelocation extends ChangeBase {
  readonly kind: 'moved';
}

export type MailChange = NewMessage | UnreadableMessage | FlagsChanged | MessageDeleted | MessageRelocation;

export interface SyncRequest {
  /** From the last batch whose changes were stored; null the first time. */
  readonly cursor: string | null;
  /**
   * Without a cursor, or with one that the server no longer knows (UIDVALIDITY changed, history expired), messages received from
   * this time on are reported, and no older ones.
   */
  readonly since: Date;
  /** Largest number of changes in a batch, 1 to 500. */
  readonly limit: number;
  /** Roles of the folders to read. Default: inbox, promotions and junk. */
  readonly roles?: readonly FolderRole[];
  readonly signal?: AbortSignal;
}

export interface SyncBatch {
  readonly changes: readonly MailChange[];
  /** Store it together with the changes or after them, never before: the next batch starts after them. */
  readonly cursor: string;
  /** Whether more changes are available at once. */
  readonly more: boolean;
  /** Folders that had to be read again; `changes` may repeat messages that were reported before. */
  readonly restarted: readonly string[];
}
