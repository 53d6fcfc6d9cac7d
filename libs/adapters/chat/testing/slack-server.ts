import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type SlackBlock } from '../slack/slack-text';
import { getMessageFault } from './slack-rules';

/** A message in a channel. */
export interface SlackPost {
  /** Id of the channel; the path of a webhook. */
  readonly to: string;
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

/** The outcome of the next calls: `kept but cut` carries them out and closes the connection without a response. */
export type ScriptedSlack =
  | {
      /** Status of a Web API response, which is 200 for most refusals. */
      readonly status: number;
      /** Status of a webhook response, where it differs. */
      readonly hookStatus?: number;
      readonly word?: string;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'silence'
  | 'cut'
  | 'kept but cut';

interface Channel {
  id: string;
  name: string;
  is_private: boolean;
  is_archived: boolean;
  is_member: boolean;
}

interface Team {
  readonly id: string;
  readonly name: string;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const CLIENT = { id: '123.456', secret: 'slack-client-secret-canary-77' };

const ACME: Team = { id: 'T0ACME', name: 'Acme' };
/** Prefixes of tokens that a test can invent: they are valid until they are revoked. */
export const VALID_TOKEN_PREFIX = 'xoxb-canary-standing-';

/**
 * Slack as documented, on 127.0.0.1: Web API (forms in, JSON out, 200 with `ok: false` for refusals, 429 with Retry-After), incoming
 * webhooks (JSON in, one word out), and the exchange of OAuth 2 codes. Messages that break a rule of Block Kit are refused.
 */
export class SlackServer {
  readonly posts: SlackPost[] = [];
  /** Names of the called methods; `webhook` for webhooks. */
  readonly calls: string[] = [];
  readonly channels: Channel[] = [
    createChannel('C0SALES', 'sales'),
    createChannel('C0OPS', 'ops'),
    createChannel('G0BOARD', 'board', true),
  ];
  /** Messages accepted before the server answers 429, until a test sets it again. */
  postsBeforeLimit = Number.POSITIVE_INFINITY;
  retryAfterSeconds = 30;
  /** Maximum channels of a page, regardless of the requested number. */
  channelsPerPage = 2;
  readonly #tokens = new Map<string, Team>();
  readonly #revoked = new Set<string>();
  readonly #codes = new Map<string, { team: Team; redirectUri: string; scopes: readonly string[]; rotates: boolean }>();
  readonly #webhooks = new Set<string>();
  readonly #script: ScriptedSlack[] = [];
  #outage: ScriptedSlack | null = null;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SlackServer> {
    const server = createServer();
    const slack = new SlackServer(server);
    server.on('request', (request, response) => void slack.#serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return slack;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings that make an installation a client of this server. */
  get env(): Record<string, string> {
    return {
      SLACK_CLIENT_ID: CLIENT.id,
      SLACK_CLIENT_SECRET: CLIENT.secret,
      SLACK_API_URL: `${this.url}/api/`,
      SLACK_AUTH_URL: `${this.url}/oauth/v2/authorize`,
      SLACK_WEBHOOK_ORIGIN: this.url,
    };
  }

  /** A bot token as a consent returns it. */
  token(team: Team = ACME): string {
    const token = `xoxb-canary-${randomBytes(12).toString('hex')}`;
    this.#tokens.set(token, team);
    return token;
  }

  /** An incoming webhook. */
  webhook(): string {
    const path = `/services/T0ACME/B0HOOK/canary${randomBytes(8).toString('hex')}`;
    this.#webhooks.add(path);
    return `${this.url}${path}`;
  }

  /** An administrator removes a webhook, or the app. */
  revoke(secret: string): void {
    this.#tokens.delete(secret);
    this.#revoked.add(secret);
    this.#webhooks.delete(URL.parse(secret)?.pathname ?? '');
  }

  /** Whether the token is valid. */
  opens(token: string): boolean {
    return this.#teamOf(token) !== undefined;
  }

  /** A user consents at an authorization URL. @returns path and query of the redirect */
  consent(
    authUrl: string,
    with_: { team?: Team; deny?: boolean; scopes?: readonly string[]; rotates?: boolean } = {},
  ): string {
    const asked = new URL(authUrl).searchParams;
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (with_.deny) back.searchParams.set('error', 'access_denied');
    else {
      const code = this.code({
        redirectUri: asked.get('redirect_uri') ?? '',
        scopes: with_.scopes ?? (asked.get('scope') ?? '').split(','),
        ...(with_.team && { team: with_.team }),
        rotates: with_.rotates ?? false,
      });
      back.searchParams.set('code', code);
    }
    return `${back.pathname}${back.search}`;
  }

  /** A code issued for this redirect URI. */
  code(of: { redirectUri: string; scopes: readonly string[]; team?: Team; rotates?: boolean }): string {
    const code = randomBytes(12).toString('hex');
    const { team = ACME, redirectUri, scopes, rotates = false } = of;
    this.#codes.set(code, { team, redirectUri, scopes, rotates });
    return code;
  }

  next(...scripted: ScriptedSlack[]): void {
    this.#script.push(...scripted);
  }

  /** The outcome of all calls from now on; null: normal responses. */
  outage(every: ScriptedSlack | null): void {
    this.#outage = every;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const path = new URL(request.url ?? '/', this.url).pathname;
    const body = Buffer.concat(chunks).toString('utf8');
    const isApi = path.startsWith('/api/');
    this.calls.push(isApi ? path.slice('/api/'.length) : 'webhook');
    const scripted = this.#outage ?? this.#script.shift();
    if (scripted === 'silence') return;
    if (scripted === 'cut') return void response.destroy();
    const answer =
      scripted === undefined || scripted === 'kept but cut'
        ? this.#answer(path, request, body)
        : toScriptedReply(scripted, isApi);
    if (scripted === 'kept but cut') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': isApi ? 'application/json' : 'text/html', ...answer.headers });
    response.end(answer.body);
  }

  #answer(path: string, request: IncomingMessage, body: string): Reply {
    if (request.method !== 'POST') return toWebhookReply(405, 'method_not_allowed');
    if (!path.startsWith('/api/')) return this.#hook(path, body);
    const form = new URLSearchParams(body);
    if (path === '/api/oauth.v2.access') return toOkReply(this.#exchange(form));
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const team = this.#teamOf(token);
    if (!team) return toOkReply({ ok: false, error: token === '' ? 'not_authed' : 'invalid_auth' });
    return this.#method(path.slice('/api/'.length), form, { token, team });
  }

  #method(method: string, form: URLSearchParams, { token, team }: { token: string; team: Team }): Reply {
    switch (method) {
      case 'auth.test':
        return toOkReply({ ok: true, team: team.name, team_id: team.id, user_id: 'U0BOT', bot_id: 'B0BOT' });
      case 'auth.revoke':
        this.revoke(token);
        return toOkReply({ ok: true, revoked: true });
      case 'conversations.list':
        return toOkReply(this.#list(form));
      case 'conversations.info': {
        const channel = this.channels.find(({ id }) => id === form.get('channel'));
        return toOkReply(channel ? { ok: true, channel } : { ok: false, error: 'channel_not_found' });
      }
      case 'chat.postMessage':
        return this.#post(form);
      default:
        return toOkReply({ ok: false, error: 'unknown_method' });
    }
  }

  #teamOf(token: string): Team | undefined {
    const stands = token.startsWith(VALID_TOKEN_PREFIX) && !this.#revoked.has(token);
    return this.#tokens.get(token) ?? (stands ? ACME : undefined);
  }

  #list(form: URLSearchParams): object {
    const types = new Set((form.get('types') ?? 'public_channel').split(','));
    const shown = this.channels.filter(
      ({ is_private, is_archived }) =>
        types.has(is_private ? 'private_channel' : 'public_channel') &&
        !(is_archived && form.get('exclude_archived') === 'true'),
    );
    const from = Number(Buffer.from(form.get('cursor') ?? '', 'base64').toString() || 0);
    if (!Number.isInteger(from)) return { ok: false, error: 'invalid_cursor' };
    const to = from + Math.min(this.channelsPerPage, Number(form.get('limit')));
    const next_cursor = to < shown.length ? Buffer.from(String(to)).toString('base64') : '';
    return { ok: true, channels: shown.slice(from, to), response_metadata: { next_cursor } };
  }

  #post(form: URLSearchParams): Reply {
    if (this.#isOverLimit()) return this.#limited('{"ok":false,"error":"ratelimited"}');
    const channel = this.channels.find(({ id }) => id === form.get('channel'));
    if (!channel) return toOkReply({ ok: false, error: 'channel_not_found' });
    if (channel.is_archived) return toOkReply({ ok: false, error: 'is_archived' });
    if (channel.is_private && !channel.is_member) return toOkReply({ ok: false, error: 'not_in_channel' });
    const blocks = JSON.parse(form.get('blocks') ?? '[]') as SlackBlock[];
    const text = form.get('text') ?? '';
    const error = getMessageFault(text, blocks);
    if (error !== null) return toOkReply({ ok: false, error });
    this.posts.push({ to: channel.id, text, blocks });
    return toOkReply({ ok: true, channel: channel.id, ts: `1763712000.${String(this.posts.length).padStart(6, '0')}` });
  }

  #hook(path: string, body: string): Reply {
    if (!this.#webhooks.has(path)) return toWebhookReply(404, 'no_service');
    if (this.#isOverLimit()) return this.#limited('rate_limited');
    let payload: { text?: string; blocks?: SlackBlock[] };
    try {
      payload = JSON.parse(body) as typeof payload;
    } catch {
      return toWebhookReply(400, 'invalid_payload');
    }
    const { text = '', blocks = [] } = payload;
    const fault = getMessageFault(text, blocks);
    if (fault !== null) return toWebhookReply(400, fault);
    this.posts.push({ to: path, text, blocks });
    return toWebhookReply(200, 'ok');
  }

  #exchange(form: URLSearchParams): object {
    if (form.get('client_id') !== CLIENT.id) return { ok: false, error: 'invalid_client_id' };
    if (form.get('client_secret') !== CLIENT.secret) return { ok: false, error: 'bad_client_secret' };
    const code = form.get('code') ?? '';
    const given = this.#codes.get(code);
    if (!given) return { ok: false, error: 'invalid_code' };
    this.#codes.delete(code);
    if (given.redirectUri !== form.get('redirect_uri')) return { ok: false, error: 'bad_redirect_uri' };
    const { team, scopes, rotates } = given;
    return {
      ok: true,
      // One token for an app in a Slack workspace, across repeated consents, until it is revoked.
      access_token: this.#tokenOf(team) ?? this.token(team),
      token_type: 'bot',
      scope: scopes.join(','),
      bot_user_id: 'U0BOT',
      app_id: 'A0APP',
      team,
      enterprise: null,
      authed_user: { id: 'U0ADA' },
      ...(rotates && { expires_in: 43_200, refresh_token: 'xoxe-1-canary' }),
    };
  }

  #tokenOf(team: Team): string | undefined {
    return [...this.#tokens].find(([, { id }]) => id === team.id)?.[0];
  }

  #isOverLimit(): boolean {
    if (this.postsBeforeLimit <= 0) return true;
    this.postsBeforeLimit -= 1;
    return false;
  }

  #limited(body: string): Reply {
    return { status: 429, body, headers: { 'retry-after': String(this.retryAfterSeconds) } };
  }
}

function createChannel(id: string, name: string, is_private = false): Channel {
  return { id, name, is_private, is_archived: false, is_member: true };
}

function toOkReply(body: object): Reply {
  return { status: 200, body: JSON.stringify(body), headers: {} };
}

/** The response of a webhook. */
function toWebhookReply(status: number, word: string): Reply {
  return { status, body: word, headers: {} };
}

function toScriptedReply(scripted: Exclude<ScriptedSlack, string>, isApi: boolean): Reply {
  const { status, hookStatus = status, word, body, headers = {} } = scripted;
  const spoken = isApi ? JSON.stringify({ ok: false, error: word ?? 'error' }) : (word ?? 'error');
  return { status: isApi ? status : hookStatus, body: body ?? spoken, headers };
}
