import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { GmailMailbox } from './gmail-mailbox';
import { type GmailReply, googleError, refusals } from './gmail-refusals';
import { type GmailMethod, type GmailRequest, handled, getRoute, UPLOADS } from './gmail-routes';

/**
 * A fault of a request. Without `after` the request takes no effect; with `after` it takes full effect. `reset`: the connection is lost.
 * `hang`: no response. `cut`: the response is truncated.
 */
export type GmailFault =
  | { readonly reply: GmailReply; readonly after?: true }
  | { readonly lost: 'reset' | 'hang' | 'cut'; readonly after?: true };

export interface GmailTrouble {
  readonly on: GmailMethod;
  readonly fault: GmailFault;
  /** Number of affected requests. Default 1. */
  readonly times?: number;
  /** Affected requests. Default any. */
  readonly when?: (request: GmailRequest) => boolean;
}

/** A received request; `token` is its access token. */
export interface SeenRequest {
  readonly method: GmailMethod;
  readonly token: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isUpload: boolean;
}

export interface GmailServer {
  /** Base URL, for GMAIL_API_URL. */
  readonly url: string;
  /** All requests, in order. */
  readonly requests: readonly SeenRequest[];
  /**
   * Adds a mailbox.
   * @param tokens valid access tokens: an authorisation server may change the given set at run time
   */
  mailbox(address: string, tokens: Iterable<string>): GmailMailbox;
  trouble(trouble: GmailTrouble): void;
  /** Drops all connections; the server keeps running. */
  breakConnections(): Promise<void>;
  close(): Promise<void>;
}

export interface GmailServerOptions {
  /** Maximum entries of a page, so that tests get several. Default 500, Gmail's own. */
  readonly maxPage?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The Gmail API on the loopback interface: the methods that the driver uses, as the REST reference and the guides (sync, labels, uploads,
 * errors, filtering) describe them, over in-memory mailboxes that tests can change directly.
 */
export async function startGmailServer(options: GmailServerOptions = {}): Promise<GmailServer> {
  const local = new LocalGmail(options);
  await local.listen();
  return local;
}

type Waiting = { -readonly [K in keyof GmailTrouble]: GmailTrouble[K] } & { left: number };

class LocalGmail implements GmailServer {
  readonly requests: SeenRequest[] = [];
  readonly #mailboxes: GmailMailbox[] = [];
  readonly #troubles: Waiting[] = [];
  readonly #server: Server;
  readonly #maxPage: number;
  readonly #now: () => number;

  constructor({ maxPage = 500, now = Date.now }: GmailServerOptions) {
    this.#maxPage = maxPage;
    this.#now = now;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  mailbox(address: string, tokens: Iterable<string>): GmailMailbox {
    const set = tokens instanceof Set ? (tokens as Set<string>) : new Set(tokens);
    const mailbox = new GmailMailbox(address, set, this.#now);
    this.#mailboxes.push(mailbox);
    return mailbox;
  }

  trouble(trouble: GmailTrouble): void {
    this.#troubles.push({ ...trouble, left: trouble.times ?? 1 });
  }

  async breakConnections(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      this.#server.getConnections((_error, count) => (count === 0 ? resolve() : setImmediate(look)));
    };
    this.#server.closeAllConnections();
    look();
    return promise;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const [, upload, path = ''] = /^\/(upload\/)?gmail\/v1\/users\/[^/]+\/(.*)$/.exec(url.pathname) ?? [];
    const route = getRoute(incoming.method ?? '', path);
    const body = await bodyOf(incoming);
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    if (!route || (upload !== undefined && !UPLOADS.has(route.method))) return send(response, refusals.notFound());
    const { method, ids } = route;
    this.requests.push({ method, token, path, query: url.searchParams, isUpload: upload !== undefined });
    const mailbox = this.#mailboxes.find(({ tokens }) => tokens.has(token));
    if (!mailbox) return send(response, refusals.unauthorized());
    const given = upload === undefined ? inline(method, body) : uploaded(incoming, url.searchParams, body);
    if (!given) return send(response, googleError(400, 'parseError', 'Invalid JSON payload received.'));
    const request = { method, mailbox, ids, query: url.searchParams, maxPage: this.#maxPage, ...given };
    return this.#carryOut(request, response);
  }

  #carryOut(request: GmailRequest, response: ServerResponse): void {
    const fault = this.#faultFor(request);
    const reply = !fault || fault.after ? handled(request) : null;
    if (!fault) return send(response, reply as GmailReply);
    if ('reply' in fault) return send(response, fault.reply);
    if (fault.lost === 'hang') return;
    if (fault.lost === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    const text = JSON.stringify((reply ?? handled(request)).body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
  }

  #faultFor(request: GmailRequest): GmailFault | null {
    const found = this.#troubles.find(
      ({ on, left, when }) => left > 0 && on === request.method && (when?.(request) ?? true),
    );
    if (!found) return null;
    found.left -= 1;
    return found.fault;
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

type Given = Pick<GmailRequest, 'json' | 'raw'>;

function inline(method: GmailMethod, body: Buffer): Given | null {
  const json = parsed(body.toString('utf8'));
  if (!json || !UPLOADS.has(method)) return json && { json, raw: null };
  const holder = (method === 'drafts.create' ? json['message'] : json) as { raw?: unknown } | undefined;
  return { json, raw: typeof holder?.raw === 'string' ? Buffer.from(holder.raw, 'base64url') : null };
}

/** `uploadType=media`: the message alone; `multipart`: metadata, then the message. */
function uploaded(incoming: IncomingMessage, query: URLSearchParams, body: Buffer): Given | null {
  if (query.get('uploadType') === 'media') return { json: {}, raw: body };
  const boundary = /boundary="?([^";]+)/.exec(incoming.headers['content-type'] ?? '')?.[1];
  if (query.get('uploadType') !== 'multipart' || boundary === undefined) return null;
  const text = body.toString('latin1');
  const [, metadata = '', message = ''] = text.split(`--${boundary}`);
  const json = parsed(Buffer.from(contentOf(metadata), 'latin1').toString('utf8'));
  return json && { json, raw: Buffer.from(contentOf(message), 'latin1') };
}

function contentOf(part: string): string {
  return part.slice(part.indexOf('\r\n\r\n') + 4, part.endsWith('\r\n') ? -2 : undefined);
}

function parsed(text: string): Record<string, unknown> | null {
  if (text === '') return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: GmailReply): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(text);
}
