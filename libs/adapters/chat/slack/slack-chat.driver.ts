import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { type OAuthClient, type OAuthDialect, OAuthError, type OAuthVendor } from '@platform/oauth';
import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import {
  ChatPort,
  type ChatChannel,
  type ChatChannels,
  type ChatGrant,
  type ChatTarget,
  type ChatTeam,
} from '../port/chat.port';
import { ChatError } from '../port/chat.errors';
import { type ChatMessage } from '../port/chat-message';
import { toChatError, fetchOver, NO_RESPONSE, type SlackTransport } from './slack-http';
import { toSlackRefusal } from './slack.errors';
import { getChannel, toChatGrant, getTeam } from './slack-response';
import { toPayload } from './slack-text';

export interface SlackOptions {
  /** Base URL with a trailing slash; method names follow. */
  readonly apiUrl: string;
  readonly authUrl: string;
  /** Empty: consent is not available. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Allowed in addition to Slack's origins; empty: none. */
  readonly webhookOrigin: string;
  /** Timeout of a call in milliseconds. */
  readonly timeoutMs: number;
}

const WEBHOOK_ORIGINS: readonly string[] = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];
/** https://docs.slack.dev/authentication/installing-with-oauth: bot tokens do not expire. */
const OAUTH: OAuthDialect = {
  scopes: ['chat:write', 'chat:write.public', 'channels:read', 'groups:read'],
  scopeSeparator: ',',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  defaultLifeSeconds: 0,
};
/** Webhooks answer with a short code. */
const MAX_WEBHOOK_BYTES = 4_096;
/** Slack recommends no more than 200 (https://docs.slack.dev/apis/web-api/pagination). */
const CHANNELS_PER_PAGE = 200;
/** Answers of a valid webhook to an empty message. */
const NOTHING_TO_SAY: ReadonlySet<string> = new Set([
  'no_text',
  'missing_text_or_fallback_or_attachments',
  'invalid_payload',
]);

/**
 * Slack by its own client (`@slack/web-api`), which uses the guarded HTTP client and does not retry. Incoming webhooks need only one
 * POST and no client.
 */
export class SlackChatDriver extends ChatPort {
  readonly scopes = OAUTH.scopes;

  constructor(
    private readonly http: OutboundHttpClient,
    private readonly options: SlackOptions,
    private readonly now: () => Date,
    private readonly oauth: OAuthClient,
  ) {
    super();
  }

  get offersConsent(): boolean {
    return this.options.clientId !== '';
  }

  override async post(target: ChatTarget, message: ChatMessage, signal?: AbortSignal): Promise<void> {
    const payload = toPayload(message);
    if (target.kind === 'webhook') {
      await this.#postToWebhook(target.url, payload, { posts: true, signal });
      return;
    }
    const { token, channelId: channel } = target;
    await this.#call(
      'chat.postMessage',
      { ...payload, channel, link_names: false, parse: 'none' },
      { token, posts: true, signal },
    );
  }

  override async checkWebhook(url: string, signal?: AbortSignal): Promise<void> {
    try {
      // An empty message cannot be posted: a valid webhook reports the missing text.
      await this.#postToWebhook(url, { text: '' }, { posts: false, signal });
    } catch (error) {
      if (error instanceof ChatError && NOTHING_TO_SAY.has(error.vendorCode)) return;
      throw error;
    }
  }

  override isWebhook(url: string): boolean {
    const parsed = URL.parse(url);
    if (parsed === null || parsed.username !== '' || parsed.password !== '' || parsed.pathname === '/') return false;
    const { webhookOrigin } = this.options;
    const own = webhookOrigin === '' ? [] : [new URL(webhookOrigin).origin];
    return [...WEBHOOK_ORIGINS, ...own].includes(parsed.origin);
  }

  override async team(token: string, signal?: AbortSignal): Promise<ChatTeam> {
    return getTeam(await this.#call('auth.test', {}, { token, signal }));
  }

  override async channels(token: string, cursor: string | null, signal?: AbortSignal): Promise<ChatChannels> {
    const parameters = {
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: CHANNELS_PER_PAGE,
      ...(cursor !== null && { cursor }),
    };
    const { channels, response_metadata: more } = await this.#call('conversations.list', parameters, { token, signal });
    const next = (more as { next_cursor?: unknown } | undefined)?.next_cursor;
    return {
      channels: Array.isArray(channels) ? channels.map(getChannel) : [],
      nextCursor: typeof next === 'string' && next !== '' ? next : null,
    };
  }

  override async channel(token: string, channelId: string, signal?: AbortSignal): Promise<ChatChannel> {
    const { channel } = await this.#call('conversations.info', { channel: channelId }, { token, signal });
    return getChannel(channel);
  }

  override consentUrl({ state, redirectUri }: { state: string; redirectUri: string }): Promise<string> {
    return this.oauth.createAuthUrl(this.#vendor(redirectUri), { state, challenge: '' });
  }

  override async exchange({ code, redirectUri }: { code: string; redirectUri: string }): Promise<ChatGrant> {
    try {
      const { answer } = await this.oauth.exchange(this.#vendor(redirectUri), { code, verifier: null });
      return toChatGrant(answer);
    } catch (error) {
      throw error instanceof OAuthError ? this.#toConsentError(error) : error;
    }
  }

  override async revoke(token: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#call('auth.revoke', {}, { token, signal });
    } catch (error) {
      if (error instanceof ChatError && error.reason === 'authorisation') return;
      throw error;
    }
  }

  async #call(method: string, body: Record<string, unknown>, of: CallOptions): Promise<Record<string, unknown>> {
    const { token, posts = false, signal } = of;
    signal?.throwIfAborted();
    const transport: SlackTransport = { response: null, failure: null };
    const client = new WebClient(token, {
      slackApiUrl: this.options.apiUrl,
      fetch: fetchOver(this.http, transport, this.options.timeoutMs, signal),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: NO_RESPONSE,
    });
    try {
      return { ...(await client.apiCall(method, body)) };
    } catch (error) {
      throw this.#failure(error, transport, { posts, signal });
    }
  }

  /** Built from the HTTP exchange: the errors of Slack's client contain bodies and URLs. */
  #failure(
    error: unknown,
    { response, failure }: SlackTransport,
    { posts, signal }: { posts: boolean; signal: AbortSignal | undefined },
  ): unknown {
    if (signal?.aborted && failure !== null) return signal.reason;
    if (failure instanceof OutboundError) return toChatError(failure, posts);
    if (failure !== null || response === null) return failure ?? error;
    const code: unknown = error instanceof WebAPIPlatformError ? error.data.error : '';
    return this.#refusal(response, typeof code === 'string' ? code : '', posts);
  }

  async #postToWebhook(
    url: string,
    payload: object,
    { posts, signal }: { posts: boolean; signal: AbortSignal | undefined },
  ): Promise<void> {
    // The URL comes from the database: never post to one that is not a Slack webhook.
    if (!this.isWebhook(url))
      throw new ChatError('authorisation', 'This is not a Slack webhook URL', { vendorCode: 'no_service' });
    signal?.throwIfAborted();
    let response: OutboundResponse;
    try {
      response = await this.http.request({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        timeoutMs: this.options.timeoutMs,
        maxResponseBytes: MAX_WEBHOOK_BYTES,
        // The status alone shows whether the message was posted.
        keepIncomplete: true,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw error instanceof OutboundError ? toChatError(error, posts) : error;
    }
    if (response.status === 200) return;
    throw this.#refusal(response, response.body.toString('utf8').trim(), posts);
  }

  #vendor(redirectUri: string): OAuthVendor {
    const { apiUrl, authUrl, clientId, clientSecret } = this.options;
    return { ...OAUTH, clientId, clientSecret, authUrl, tokenUrl: `${apiUrl}oauth.v2.access`, redirectUri };
  }

  #toConsentError({ status, code, retryAfterMs, cause }: OAuthError): ChatError {
    if (cause instanceof OutboundError) return toChatError(cause, false);
    const retryAfter = retryAfterMs === null ? undefined : String(retryAfterMs / 1000);
    return toSlackRefusal({ status: status ?? 0, retryAfter, vendorCode: code ?? '', posts: false, now: this.now() });
  }

  #refusal({ status, headers }: OutboundResponse, vendorCode: string, posts: boolean): ChatError {
    return toSlackRefusal({ status, retryAfter: headers['retry-after'], vendorCode, posts, now: this.now() });
  }
}

interface CallOptions {
  readonly token?: string;
  readonly posts?: boolean;
  readonly signal: AbortSignal | undefined;
}
