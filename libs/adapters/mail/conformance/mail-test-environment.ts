import { type FolderRole } from '../port/folder';
import { type MailSession } from '../port/session';

/** The outcome of the next message to an address of `recipient(fate)`. */
export type SendFate =
  | 'accepted'
  /** Refused for now: an SMTP 4xx, a vendor's 429 or 503 before anything was taken. */
  | 'temporary'
  /** Refused for good: an SMTP 5xx, a vendor's 400. */
  | 'permanent'
  /** The connection is lost before the message could be taken. */
  | 'lost-before'
  /** The message is taken and the connection lost before the answer. */
  | 'lost-after';

/** One mailbox on a server that a suite can manipulate behind the driver's back. Each driver has one for the suite. */
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
  /** A message comes in (inbox by default). */
  deliver(raw: Buffer, role?: FolderRole): Promise<void>;
  /** Another program of the mailbox's owner does something to the message with this Message-ID. */
  elsewhere(messageId: string, act: 'read' | 'unread' | 'delete' | 'move-to-junk'): Promise<void>;
  /** The server forgets its history: UIDVALIDITY changes, the history id is too old, the delta token is invalid. */
  forgetHistory(): Promise<void>;
  /** Connections break now (those of the session), and the server is well again at once. */
  breakConnections(): Promise<void>;
  close(): Promise<void>;
}

/** What a kind of mailbox cannot do by nature; everything else is required of all. */
export interface MailTraits {
  /** `findSent` can prove that a message was not sent. */
  readonly provesNotSent: boolean;
  /** A message keeps its id when it is moved (`moved` instead of `gone` and `message`). */
  readonly keepsIdOnMove: boolean;
}
