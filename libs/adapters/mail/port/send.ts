import { type FailureKind } from '@platform/errors';
import { type MailFailure, type ServerReply } from './mail.errors';

/** A finished message (`composeMessage`), which every server receives unchanged. */
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

/** Identifies a send with an unknown outcome at the provider. */
export interface SendHandle {
  /** The draft to send (Gmail, Graph); null without drafts (SMTP). */
  readonly draftId: string | null;
}

export interface SendOptions {
  /**
   * Called once, right before the handover: login, sender and recipient are accepted by then, or the draft exists. Unless it
   * resolves to true, the message is not handed over. If it throws, `send` throws the same error without a handover.
   */
  readonly beforeHandover: (handle: SendHandle) => Promise<boolean>;
  /** The vendor's conversation to put the message into (Gmail). */
  readonly threadId?: string;
  /** Aborting before the handover withholds the message; later it is without effect. */
  readonly signal?: AbortSignal;
  /**
   * Aborts the send at any point. Before the complete message was sent the outcome is `temporary`; after it, without a reply,
   * `ambiguous`.
   */
  readonly deadline?: AbortSignal;
}

/** The server has accepted the message. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly lastReply: ServerReply;
  /** Vendor's id of the sent message and of its conversation (Gmail, Graph). */
  readonly providerMessageId: string | null;
  readonly providerThreadId: string | null;
}

/** `beforeHandover` resolved to false, or the signal was aborted before it: the message was not handed over. */
export interface Withheld {
  readonly kind: 'withheld';
}

/**
 * Not accepted. `temporary`: the server certainly has not accepted the message, retry. `permanent`: the server refuses the
 * message (5xx). `needs-human`: the server refuses the credentials. `ambiguous`: the complete message was sent without a reply,
 * so it may have been accepted: resolve it by `findSent`, never send it again.
 */
export interface NotAccepted extends MailFailure {
  readonly kind: FailureKind;
}

export type SendOutcome = Accepted | Withheld | NotAccepted;

/** `not_sent` is proof (the draft still exists); `unknown` means no proof. */
export type SentLookup =
  | { readonly state: 'sent'; readonly providerMessageId: string | null; readonly providerThreadId: string | null }
  | { readonly state: 'not_sent' }
  | { readonly state: 'unknown' };
