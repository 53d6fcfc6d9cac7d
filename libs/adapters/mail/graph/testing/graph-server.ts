import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type GraphReply, invalidToken, throttled } from './graph-answers';
import { type GraphFault, strike } from './graph-faults';
import { GraphMailbox } from './graph-mailbox';
import { answer, type Outcome } from './graph-routes';

export interface GraphServerOptions {
  /** The server's clock: times of receipt, and the Date header of responses. */
  readonly now?: () => Date;
}

/** A local server with the documented behaviour of Microsoft Graph. */
export interface GraphServer {
  /** The API's URL for the driver. */
  readonly url: string;
  /** A mailbox, created on first use. Mail from another mailbox of the server arrives in its inbox. */
  mailbox(address: string, tokens?: Iterable<string>): GraphMailbox;
  /** Breaks all connections; the server keeps running. */
  breakConnections(): void;
  close(): Promise<void>;
}

const ROOT = '/v1.0';

/** Concurrent requests of one application to one mailbox. */
const MAX_CONCURRENT = 4;

/** Starts it on a free port of the loopback interface. */
export async function startGraphServer(options: GraphServerOptions = {}): Promise<GraphServer> {
  const server = new LocalGraph(options.now ?? (() => new Date()));
  await server.listen();
  return server;
}

class LocalGraph implements GraphServer {
  readonly #mailboxes = new Map<string, GraphMailbox>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(private readonly now: () => Date) {
    this.#server = createServer((request, response) => {
      response.sendDate = false;
      this.#serve(request, response).catch((error: unknown) => {
        if (response.destroyed) return;
        response.writeHead(500).end(String(error));
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${ROOT}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  mailbox(address: string, tokens: Iterable<string> = []): GraphMailbox {
    const key = address.toLowerCase();
    const mailbox = this.#mailboxes.get(key) ?? new GraphMailbox(address, [], this.now);
    this.#mailboxes.set(key, mailbox);
    for (const token of tokens) mailbox.tokens.add(token);
    return mailbox;
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.breakConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const mailbox = [...this.#mailboxes.values()].find(({ tokens }) => tokens.has(token));
    if (!mailbox) {
      const message = token === '' ? 'Access token is empty.' : 'Lifetime validation failed, the token is expired.';
      return this.#reply(response, invalidToken(message));
    }
    mailbox.inFlight += 1;
    mailbox.mostInFlight = Math.max(mailbox.mostInFlight, mailbox.inFlight);
    response.once('close', () => (mailbox.inFlight -= 1));
    if (mailbox.inFlight > MAX_CONCURRENT) return this.#reply(response, throttled('MailboxConcurrency', 1));
    if (mailbox.gate) await mailbox.gate;
    await this.#answer(mailbox, request, body, response);
  }

  async #answer(
    mailbox: GraphMailbox,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const { method = 'GET', headers } = request;
    const path = (request.url ?? '').slice(ROOT.length);
    const prefer = [headers['prefer'] ?? []].flat().join(', ');
    mailbox.requests.push({ method, path, prefer });
    const fault = strike(mailbox.faults, `${method} ${path}`);
    if (fault && !fault.carriedOut && !isCut(fault)) return this.#fail(response, fault);
    const query = new URL(path, 'http://graph').searchParams;
    const contentType = headers['content-type'] ?? '';
    const asked = { mailbox, api: this.url, query, prefer, contentType, body };
    const before = mailbox.accepted.length;
    const outcome = await answer(method, path.split('?')[0] ?? '', asked);
    await this.#deliver(mailbox, before);
    if (fault) return this.#fail(response, fault, outcome);
    this.#reply(response, outcome);
  }

  /** Delivers mail to mailboxes of this server. */
  async #deliver(mailbox: GraphMailbox, from: number): Promise<void> {
    for (const { to, raw } of mailbox.accepted.slice(from)) {
      await this.#mailboxes.get(to.toLowerCase())?.store(raw);
    }
  }

  #fail(response: ServerResponse, { does }: GraphFault, outcome?: Outcome): void {
    if (does === 'hang') return;
    if (does === 'reset') return this.#reply(response, 'reset');
    if ('status' in does) return this.#reply(response, does);
    const body = outcome !== undefined && outcome !== 'reset' ? outcome.body : undefined;
    if (!Buffer.isBuffer(body)) return this.#reply(response, 'reset');
    response.writeHead(200, { 'content-length': String(body.length) });
    response.write(body.subarray(0, does.cutAt), () => response.destroy());
  }

  #reply(response: ServerResponse, outcome: Outcome): void {
    if (outcome === 'reset') return void response.destroy();
    const { status, headers, body } = outcome satisfies GraphReply;
    const isJson = body !== undefined && !Buffer.isBuffer(body) && !(body instanceof Readable);
    response.writeHead(status, {
      date: this.now().toUTCString(),
      ...(isJson ? { 'content-type': 'application/json; odata.metadata=minimal' } : {}),
      ...headers,
    });
    if (body instanceof Readable) body.pipe(response);
    else response.end(isJson ? JSON.stringify(body) : body);
  }
}

function isCut({ does }: GraphFault): boolean {
  return typeof does === 'object' && 'cutAt' in does;
}
