import { type FolderRole } from '../port/folder';
import { type MailSession } from '../port/session';

/** The outcome of the next message to an address of `recipient(fate)`. */
export type SendFate =
  | 'accepted'
  /** A temporary refusal: an SMTP 4xx, or a vendor's 429 or 503 before the acceptance. */
  | 'temporary'
  /** A permanent refusal: an SMTP 5xx or a vendor's 400. */
  | 'permanent'
  /** The connection is lost before the message could be accepted. */
  | 'lost-before'
  /** The message is accepted, and the connection is lost before the response. */
  | 'lost-after';

/** One mailbox on a server that a suite can change directly. Each driver provides one for the suite. */
export interface MailTestEnvironment {
  readonly session: MailSession;
  /** Address of the mailbox. */
  readonly address: string;
  /** Another session of the mailbox, as in another process. It closes with the environment. */
  anotherSession(): MailSession;
  /** A session with credentials that the server refuses. */
  refusedSession(): MailSession;
  /** A fresh recipient with this fate, arranged at the server. */
  recipient(fate: SendFate): string;
  /** Message-IDs that the server accepted for this recipient. */
  acceptedFor(recipient: string): Promise<readonly string[]>;
  /** Delivers a message (to the inbox by default). */
  deliver(raw: Buffer, role?: FolderRole): Promise<void>;
  /** Changes the message with this Message-ID as another program of the mailbox's owner. */
  elsewhere(messageId: string, act: 'read' | 'unread' | 'delete' | 'move-to-junk'): Promise<void>;
  /** The server forgets its history: UIDVALIDITY changes, the history id is too old, the delta token is invalid. */
  forgetHistory(): Promise<void>;
  /** Breaks the session's connections; the server stays available. */
  breakConnections(): Promise<void>;
  close(): Promise<void>;
}

/** Optional capabilities of a kind of mailbox; all others are required. */
export interface MailTraits {
  /** `findSent` can prove that a message was not sent. */
  readonly provesNotSent: boolean;
  /** A message keeps its id when it is moved (`moved` instead of `gone` and `message`). */
  readonly keepsIdOnMove: boolean;
}
