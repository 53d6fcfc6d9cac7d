import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface Served {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** JSON of the body; undefined without one. */
  readonly body: unknown;
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * `silence`: no response; `cut`: the connection ends before the request takes effect; `done but cut`: it ends after the full effect;
 * `half`: full effect, but half of the response is sent.
 */
export type Scripted = ServerAnswer | 'silence' | 'cut' | 'done but cut' | 'half';

/** Maximum recorded requests: the latest ones. */
const REMEMBERED = 1_000;

/** A vendor's server on 127.0.0.1. Subclasses handle requests; this class scripts network faults. */
export abstract class VendorServer {
  /** The last requests, scripted ones included. */
  readonly asked: Served[] = [];
  /** Requests so far, scripted ones included. */
  count = 0;
  /** Valid tokens and keys. */
  readonly tokens = new Set<string>(['canary-token']);
  readonly #script: Scripted[] = [];
  #held: Promise<void> | null = null;
  #server: Server | null = null;

  async listen(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.#server = server;
    return this;
  }

  get baseUrl(): string {
    if (!this.#server) throw new Error('The server does not listen');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Scripted outcomes of the next requests, before or after the vendor handles them. */
  next(...script: Scripted[]): void {
    this.#script.push(...script);
  }

  /** Removes scripted outcomes that no request has used. */
  calm(): void {
    this.#script.length = 0;
  }

  /** Delays all requests from now on. @returns a function that continues them */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = null;
      resolve();
    };
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.#server?.close(() => done());
      this.#server?.closeAllConnections();
    });
  }

  /** Returns the vendor's response. */
  protected abstract answer(request: Served): ServerAnswer | Promise<ServerAnswer>;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const served = await toServed(request);
    this.count += 1;
    this.asked.push(served);
    if (this.asked.length > REMEMBERED) this.asked.shift();
    await this.#held;
    const scripted = this.#script.shift();
    if (scripted === 'silence') return;
    if (scripted === 'cut') return void response.destroy();
    const answer = typeof scripted === 'object' ? scripted : await this.answer(served);
    if (scripted === 'done but cut') return void response.destroy();
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
    const length = { 'content-length': String(Buffer.byteLength(text)) };
    response.writeHead(answer.status, { 'content-type': 'application/json', ...length, ...answer.headers });
    if (scripted === 'half') return void response.write(text.slice(0, text.length / 2), () => response.destroy());
    response.end(text);
  }
}

async function toServed(request: IncomingMessage): Promise<Served> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}
