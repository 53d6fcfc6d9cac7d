import { type ChatMessage } from './chat-message';

/** Where messages go: a channel that a bot may write to, or an address that stands for one channel and takes them from anybody. */
export type ChatTarget =
  | { readonly kind: 'bot'; readonly token: string; readonly channelId: string }
  | { readonly kind: 'webhook'; readonly url: string };

/** The vendor's customer that a token belongs to. */
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
  /** Whether the bot is in it: it posts in private channels only then. */
  readonly isMember: boolean;
}

export interface ChatChannels {
  readonly channels: readonly ChatChannel[];
  /** null: that were all. */
  readonly nextCursor: string | null;
}

/** What a consent gave. */
export interface ChatGrant {
  readonly token: string;
  readonly team: ChatTeam;
  readonly scopes: readonly string[];
  /** Whether the token ends by itself. */
  readonly expires: boolean;
}

/** A chat for teams. Nothing is tried again in here. Every call throws `ChatError`, or the reason of its signal. */
export abstract class ChatPort {
  /** Whether the operator has registered a client with the vendor, without which nobody can consent. */
  abstract readonly offersConsent: boolean;

  /** What is asked for at a consent; a grant with fewer is of no use. */
  abstract readonly scopes: readonly string[];

  /** Says something. @throws ChatError `lost` when it may have been posted although no answer came */
  abstract post(target: ChatTarget, message: ChatMessage, signal?: AbortSignal): Promise<void>;

  /** Whether the address of a webhook takes messages; nothing is posted. @throws ChatError when it does not */
  abstract checkWebhook(url: string, signal?: AbortSignal): Promise<void>;

  /** Whether an address can be that of a webhook at all: messages go nowhere else. */
  abstract isWebhook(url: string): boolean;

  /** Whose token it is. */
  abstract team(token: string, signal?: AbortSignal): Promise<ChatTeam>;

  /** A page of the channels that are not archived. */
  abstract channels(token: string, cursor: string | null, signal?: AbortSignal): Promise<ChatChannels>;

  /** @throws ChatError `channel` when there is none that the bot may see */
  abstract channel(token: string, channelId: string, signal?: AbortSignal): Promise<ChatChannel>;

  /** The vendor's address at which a person consents. */
  abstract consentUrl(consent: { state: string; redirectUri: string }): string;

  /** Exchanges the code of a consent. */
  abstract exchange(consent: { code: string; redirectUri: string }, signal?: AbortSignal): Promise<ChatGrant>;

  /** Gives a token back: it is worth nothing afterwards. Without effect for one that is worth nothing already. */
  abstract revoke(token: string, signal?: AbortSignal): Promise<void>;
}
