import { type FailureKind } from '@platform/errors';
import { type MailFailure, type ServerReply } from './mail.errors';

/** A finished message (`composeMessage`): it is built once and given to whichever server as it is. */
export interface ComposedMessage {
  readonly envelope: {
    readonly from: string;
    /** Exactly one recipient. */
    readonly to: string;
  };
  /** With angle brackets, as in the header. */
  readonly messageId: string;
  /** MIME with CRLF line ends. */
  readonly raw: Buffer;
}

/** What the provider needs to be asked about a send whose answer never came. */
export interface SendHandle {
  /** The draft that is to be sent (Gmail, Graph); null where messages go straight to the wire (SMTP). */
  readonly draftId: string | null;
}

export interface SendOptions {
  /**
   * Called once, right before the message is given to the server: everything that can be refused before has been accepted
   * by then (login, sender, recipient; the draft exists). Nothing is given unless it resolves to true. When it throws,
   * `send` throws the same error and nothing was given.
   */
  readonly beforeHandover: (handle: SendHandle) => Promise<boolean>;
  /** The vendor's conversation to put the message into (Gmail). */
  readonly threadId?: string;
  /** Aborting before the handover withholds the message; later it is without effect. */
  readonly signal?: AbortSignal;
  /**
   * Somebody waits for the outcome: aborted, it ends the send wherever it stands. Not all was given: `temporary`; all was
   * given and no answer came: `ambiguous`.
   */
  readonly deadline?: AbortSignal;
}

/** The server has taken responsibility for the message. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly words: ServerReply;
  /** Vendor's id of the sent message and of its conversation (Gmail, Graph). */
  readonly providerMessageId: string | null;
  readonly providerThreadId: string | null;
}

/** `beforeHandover` said no, or the signal was aborted before it: nothing was given. */
export interface Withheld {
  readonly kind: 'withheld';
}

/**
 * Not accepted. `temporary`: the message was certainly not taken, try again. `permanent`: the server refuses the message
 * (5xx). `needs-human`: the mailbox's credentials are refused. `ambiguous`: all of the message was given and no answer came:
 * it may have been sent; look with `findSent`, never send again.
 */
export interface NotAccepted extends MailFailure {
  readonly kind: FailureKind;
}

export type SendOutcome = Accepted | Withheld | NotAccepted;

/** `not_sent` is proof (the draft is still there); `unknown` is the lack of any. */
export type SentLookup =
  | { readonly state: 'sent'; readonly providerMessageId: string | null; readonly providerThreadId: string | null }
  | { readonly state: 'not_sent' }
  | { readonly state: 'unknown' };
