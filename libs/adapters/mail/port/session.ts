import { type Readable } from 'node:stream';
import { type MessageRef, type SyncBatch, type SyncRequest } from './changes';
import { type MailFolder } from './folder';
import { type MailFailure } from './mail.errors';
import { type ComposedMessage, type SendHandle, type SendOptions, type SendOutcome, type SentLookup } from './send';

/** How one half of a mailbox answered. */
export type CheckResult = { readonly ok: true } | ({ readonly ok: false } & MailFailure);

export interface MailCheck {
  /** SMTP, or the vendor's API. */
  readonly outgoing: CheckResult;
  /** IMAP, or the vendor's API. */
  readonly incoming: CheckResult;
}

export interface Attachment {
  /** Place among the message's attachments, from 0. */
  readonly index: number;
  /** As the sender wrote it; empty when it has none. Not safe as a file name. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes after decoding; an estimate for IMAP, whose servers count the encoded ones. */
  readonly size: number;
}

export interface AttachmentContent extends Attachment {
  /** The decoded bytes. Ends with a MailError when the connection is lost; destroy it to stop early. */
  readonly content: Readable;
}

/**
 * An open mailbox: holds its connections, opens them when they are first needed and again when they were lost. All calls
 * may run at the same time. Everything but `send`'s outcome fails with a `MailError`; `close` makes what is running fail.
 */
export interface MailSession {
  /** Logs in to both halves without changing anything. Never throws for a refusal: that is the result. */
  verify(signal?: AbortSignal): Promise<MailCheck>;

  /** Gives one message to the server, or says why not. Never repeats what it does. */
  send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome>;

  /** Whether a message was sent, for an outcome that is not known. */
  findSent(messageId: string, handle: SendHandle): Promise<SentLookup>;

  /** What happened since a cursor, oldest first. */
  sync(request: SyncRequest): Promise<SyncBatch>;

  /**
   * Waits until something may be new in the inbox (IMAP IDLE, RFC 2177; a look every so often where the server cannot
   * tell), at most `atMostMs`. What happens between two calls is noticed by the second.
   * @returns whether a sync is worth it
   */
  waitForChange(options: { atMostMs: number; signal: AbortSignal }): Promise<boolean>;

  /**
   * The message as it was received.
   * @throws MailError `permanent` when it is gone or larger than `maxBytes`
   */
  fetchRaw(ref: MessageRef, options: { maxBytes: number }): Promise<Buffer>;

  listAttachments(ref: MessageRef): Promise<readonly Attachment[]>;

  /** @throws MailError `permanent` when the message or the attachment is not there */
  fetchAttachment(ref: MessageRef, index: number): Promise<AttachmentContent>;

  /** Puts a message into another folder and says where it is now. @throws MailError `permanent` when it is gone */
  move(ref: MessageRef, folder: string): Promise<MessageRef>;

  /** Stores a message, for example a copy of what was sent. */
  append(folder: string, raw: Buffer, flags?: { seen?: boolean }): Promise<MessageRef>;

  markRead(ref: MessageRef, read: boolean): Promise<void>;

  listFolders(): Promise<readonly MailFolder[]>;

  /**
   * The folder of that name at the top level, whatever it is for; made where people see it when there is none. Called at the same
   * time from several sessions, it gives all of them the same one.
   * @throws MailError `permanent` for a name that cannot be one folder, or that the server refuses
   */
  ensureFolder(name: string): Promise<MailFolder>;

  /** Ends all connections. The session is not used any more. */
  close(): Promise<void>;
}
