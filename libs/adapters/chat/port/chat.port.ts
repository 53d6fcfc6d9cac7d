import { type ChatMessage } from './chat-message';

/** Destination of messages: a channel of a bot, or an incoming webhook, whose URL posts to one channel without a login. */
export type ChatTarget =
  | { readonly kind: 'bot'; readonly token: string; readonly channelId: string }
  | { readonly kind: 'webhook'; readonly url: string };

/** The team (customer of the vendor) of a token. */
export interface ChatTeam {
  readonly id: string;
  readonly name: string;
}

export interface ChatChannel {
  readonly id: string;
  /** Without a hash sign. */
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  /** Whether the bot is a member; only then it can post in a private channel. */
  readonly isMember: boolean;
}

export interface ChatChannels {
  readonly channels: readonly ChatChannel[];
  /** null after the last page. */
  readonly nextCursor: string | null;
}

/** The grant of a consent. */
export interface ChatGrant {
  readonly token: string;
  readonly team: ChatTeam;
  readonly scopes: readonly string[];
  /** Whether the token expires. */
  readonly expires: boolean;
}

/** A team chat. It does not retry. Every call throws `ChatError`, or the reason of its signal. */
export abstract class ChatPort {
  /** Whether the operator has configured an OAuth client, which consent requires. */
  abstract readonly offersConsent: boolean;

  /** Requested scopes; a grant with fewer is not usable. */
  abstract readonly scopes: readonly string[];

  /** Posts a message. @throws ChatError `unconfirmed` when it may have been posted without a response */
  abstract post(target: ChatTarget, message: ChatMessage, signal?: AbortSignal): Promise<void>;

  /** Checks that a webhook accepts messages, without posting. @throws ChatError when it does not */
  abstract checkWebhook(url: string, signal?: AbortSignal): Promise<void>;

  /** Whether a URL has the form of the vendor's webhooks; no other URL receives messages. */
  abstract isWebhook(url: string): boolean;

  /** The team of a token. */
  abstract team(token: string, signal?: AbortSignal): Promise<ChatTeam>;

  /** A page of the channels that are not archived. */
  abstract channels(token: string, cursor: string | null, signal?: AbortSignal): Promise<ChatChannels>;

  /** @throws ChatError `channel` when the bot sees no such channel */
  abstract channel(token: string, channelId: string, signal?: AbortSignal): Promise<ChatChannel>;

  /** The vendor's consent page. */
  abstract consentUrl(consent: { state: string; redirectUri: string }): Promise<string>;

  /** Exchanges the code of a consent. */
  abstract exchange(consent: { code: string; redirectUri: string }): Promise<ChatGrant>;

  /** Revokes a token; without effect on an invalid one. */
  abstract revoke(token: string, signal?: AbortSignal): Promise<void>;
}
