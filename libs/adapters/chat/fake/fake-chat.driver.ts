import {
  ChatPort,
  type ChatChannel,
  type ChatChannels,
  type ChatGrant,
  type ChatTarget,
  type ChatTeam,
} from '../port/chat.port';
import { ChatError, type ChatReason } from '../port/chat.errors';
import { type ChatMessage } from '../port/chat-message';

/** The scripted outcome of the next call. */
export type ScriptedChat =
  | { readonly fails: ChatReason; readonly retryAfterMs?: number; readonly vendorCode?: string }
  /** The message is posted, but the response is lost. */
  | 'posted but lost'
  /** No response until the caller aborts. */
  | 'silence';

const TEAM: ChatTeam = { id: 'T0FAKE', name: 'Fake Inc' };
const PER_PAGE = 2;

/** An in-memory chat; calls succeed unless a failure is scripted. */
export class FakeChatDriver extends ChatPort {
  readonly offersConsent = true;
  readonly scopes = ['write'] as const;
  readonly posts: { readonly target: ChatTarget; readonly message: ChatMessage }[] = [];
  /** Valid tokens and webhook URLs. */
  readonly valid = new Set<string>(['token', 'https://hooks.chat.example/1']);
  readonly channelList: ChatChannel[] = [
    createChannel('C1', 'sales'),
    createChannel('C2', 'ops'),
    createChannel('C3', 'board'),
  ];
  readonly #script: ScriptedChat[] = [];

  next(...scripted: ScriptedChat[]): void {
    this.#script.push(...scripted);
  }

  override async post(target: ChatTarget, message: ChatMessage, signal?: AbortSignal): Promise<void> {
    await this.#obey(signal, () => this.posts.push({ target, message }));
    this.#know(target.kind === 'bot' ? target.token : target.url);
    if (target.kind === 'bot' && this.#find(target.channelId).isArchived) throw createFault('channel', 'is_archived');
    this.posts.push({ target, message });
  }

  override async checkWebhook(url: string, signal?: AbortSignal): Promise<void> {
    await this.#obey(signal);
    this.#know(url);
  }

  override isWebhook(url: string): boolean {
    return url.startsWith('https://hooks.chat.example/');
  }

  override async team(token: string, signal?: AbortSignal): Promise<ChatTeam> {
    await this.#obey(signal);
    this.#know(token);
    return TEAM;
  }

  override async channels(token: string, cursor: string | null, signal?: AbortSignal): Promise<ChatChannels> {
    await this.#obey(signal);
    this.#know(token);
    const open = this.channelList.filter(({ isArchived }) => !isArchived);
    const from = Number(cursor ?? 0);
    const nextCursor = from + PER_PAGE < open.length ? String(from + PER_PAGE) : null;
    return { channels: open.slice(from, from + PER_PAGE), nextCursor };
  }

  override async channel(token: string, channelId: string, signal?: AbortSignal): Promise<ChatChannel> {
    await this.#obey(signal);
    this.#know(token);
    return this.#find(channelId);
  }

  override async consentUrl({ state, redirectUri }: { state: string; redirectUri: string }): Promise<string> {
    return `https://chat.example/consent?${new URLSearchParams({ state, redirect_uri: redirectUri }).toString()}`;
  }

  override async exchange({ code }: { code: string; redirectUri: string }): Promise<ChatGrant> {
    await this.#obey();
    if (code !== 'code') throw createFault('authorisation', 'invalid_code');
    return { token: 'token', team: TEAM, scopes: this.scopes, expires: false };
  }

  override async revoke(token: string, signal?: AbortSignal): Promise<void> {
    await this.#obey(signal);
    this.valid.delete(token);
  }

  async #obey(signal?: AbortSignal, post?: () => void): Promise<void> {
    signal?.throwIfAborted();
    const scripted = this.#script.shift();
    if (scripted === undefined) return;
    if (scripted === 'silence') return waitForAbort(signal);
    if (scripted === 'posted but lost') {
      post?.();
      throw createFault('unconfirmed', 'timeout');
    }
    throw createFault(scripted.fails, scripted.vendorCode ?? scripted.fails, scripted.retryAfterMs ?? null);
  }

  #know(secret: string): void {
    if (!this.valid.has(secret)) throw createFault('authorisation', 'invalid_auth');
  }

  #find(channelId: string): ChatChannel {
    const found = this.channelList.find(({ id }) => id === channelId);
    if (!found) throw createFault('channel', 'channel_not_found');
    return found;
  }
}

function createChannel(id: string, name: string): ChatChannel {
  return { id, name, isPrivate: false, isArchived: false, isMember: true };
}

function createFault(reason: ChatReason, vendorCode: string, retryAfterMs: number | null = null): ChatError {
  return new ChatError(reason, `The fake fails: ${vendorCode}`, { vendorCode, retryAfterMs });
}

function waitForAbort(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
