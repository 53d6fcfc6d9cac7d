import { type Readable } from 'node:stream';
import { type MessageRef, type SyncBatch, type SyncRequest } from './changes';
import { type MailFolder } from './folder';
import { type MailFailure } from './mail.errors';
import { type ComposedMessage, type SendHandle, type SendOptions, type SendOutcome, type SentLookup } from './send';

/** The result of checking one half of a mailbox. */
export type CheckResult = { readonly ok: true } | ({ readonly ok: false } & MailFailure);

export interface MailCheck {
  /** SMTP, or the vendor's API. */
  readonly outgoing: CheckResult;
  /** IMAP, or the vendor's API. */
  readonly incoming: CheckResult;
}

export interface Attachment {
  /** Index among the message's attachments, from 0. */
  readonly index: number;
  /** As written by the sender; empty without a name. Not safe as a file name. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes after decoding; an estimate for IMAP, whose servers count the encoded ones. */
  readonly size: number;
}

export interface AttachmentContent extends Attachment {
  /** The decoded bytes. Fails with a MailError when the connection is lost; destroy it to stop early. */
  readonly content: Readable;
}

/**
 * An open mailbox. It connects on demand and reconnects after a lost connection. Calls may run concurrently. All calls fail with a
 * `MailError`, except `send`, which returns an outcome; `close` makes running calls fail.
 */
export interface MailSession {
  /** Logs in to both halves without changing anything. A refusal is a result, not an error. */
  verify(signal?: AbortSignal): Promise<MailCheck>;

  /** Hands one message over to the server, or returns why not. It never retries. */
  send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome>;

  /** Finds out whether a message with an unknown outcome was sent. */
  findSent(messageId: string, handle: SendHandle): Promise<SentLookup>;

  /** Returns the changes since a cursor, oldest first. */
  sync(request: SyncRequest): Promise<SyncBatch>;

  /**
   * Waits until the inbox may have changed (IMAP IDLE, RFC 2177, or polling where the server lacks it), at most `atMostMs`. The
   * next call notices changes between two calls.
   * @returns whether a sync is worthwhile
   */
  waitForChange(options: { atMostMs: number; signal: AbortSignal }): Promise<boolean>;

  /**
   * Returns the message as received.
   * @throws MailError `permanent` when it was deleted or is larger than `maxBytes`
   */
  fetchRaw(ref: MessageRef, options: { maxBytes: number }): Promise<Buffer>;

  listAttachments(ref: MessageRef): Promise<readonly Attachment[]>;

  /** @throws MailError `permanent` when the message or the attachment does not exist */
  fetchAttachment(ref: MessageRef, index: number): Promise<AttachmentContent>;

  /** Moves a message to another folder and returns its new reference. @throws MailError `permanent` when it was deleted */
  move(ref: MessageRef, folder: string): Promise<MessageRef>;

  /** Stores a message, for example a copy of a sent one. */
  append(folder: string, raw: Buffer, flags?: { seen?: boolean }): Promise<MessageRef>;

  markRead(ref: MessageRef, read: boolean): Promise<void>;

  listFolders(): Promise<readonly MailFolder[]>;

  /**
   * Returns the top-level folder of that name, and creates it visibly if it does not exist. Concurrent calls of several sessions
   * return the same folder.
   * @throws MailError `permanent` for an invalid name, or one that the server refuses
   */
  ensureFolder(name: string): Promise<MailFolder>;

  /** Closes all connections. The session cannot be used afterwards. */
  close(): Promise<void>;
}
