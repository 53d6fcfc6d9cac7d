import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type EnrichmentToolReason } from '../port/enrichment-tool.errors';

export interface ScriptedStatus {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the connection is cut after the beginning of the body. */
  readonly isCut?: boolean;
}

/** The outcome of the next row: `kept but cut` adds it and closes the connection without a response. */
export type Scripted = ScriptedStatus | 'silence' | 'cut' | 'kept but cut';

/** Maximum size of a row at Clay (bytes). */
const MAX_ROW_BYTES = 100_000;

/**
 * A table with a webhook as documented by Clay, on 127.0.0.1: one JSON object is one row of at most 100 kB, the token is in
 * `x-clay-webhook-auth`, and rows above `rowsAtOnce` get 429 with `Retry-After`.
 */
export class TableServer {
  readonly rows: Readonly<Record<string, string>>[] = [];
  /** The token of each request. */
  readonly tokens: (string | undefined)[] = [];
  /** Rows accepted before the server answers 429, until a test sets it again. */
  rowsAtOnce = Number.POSITIVE_INFINITY;
  /** The maximum number of concurrent requests so far. */
  mostAtOnce = 0;
  readonly #script: Scripted[] = [];
  #atOnce = 0;

  private constructor(
    private readonly server: Server,
    readonly token: string,
  ) {}

  /** @param token the required token; empty for none */
  static async start(token = 'canary-table-token'): Promise<TableServer> {
    const server = createServer();
    const table = new TableServer(server, token);
    server.on('request', (request, response) => void table.#serve(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return table;
  }

  get webhookUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v3/sources/webhook/canary-table-id`;
  }

  next(...scripted: Scripted[]): void {
    this.#script.push(...scripted);
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.server.close(() => done());
      this.server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    } finally {
      this.#atOnce -= 1;
    }
    this.tokens.push(request.headers['x-clay-webhook-auth'] as string | undefined);
    this.#answer(this.#script.shift() ?? this.#take(request, Buffer.concat(chunks)), chunks, response);
  }

  #answer(answer: Scripted, chunks: Buffer[], response: ServerResponse): void {
    if (answer === 'silence') return;
    if (answer === 'kept but cut') this.#keep(Buffer.concat(chunks));
    if (answer === 'cut' || answer === 'kept but cut') {
      response.destroy();
      return;
    }
    const { status, headers = {}, body = '{}', isCut = false } = answer;
    if (isCut) this.#keep(Buffer.concat(chunks));
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(isCut && { 'content-length': '1000' }),
      ...headers,
    });
    if (isCut) response.write(body, () => response.destroy());
    else response.end(body);
  }

  #take(request: IncomingMessage, body: Buffer): ScriptedStatus {
    const isWebhook = request.url === new URL(this.webhookUrl).pathname && request.method === 'POST';
    if (!isWebhook) return REFUSALS.no_table;
    if (this.token !== '' && request.headers['x-clay-webhook-auth'] !== this.token) return REFUSALS.credentials;
    if (body.length > MAX_ROW_BYTES) return { status: 413 };
    if (this.rowsAtOnce <= 0) return { ...REFUSALS.rate_limited, headers: { 'retry-after': '30' } };
    if (request.headers['content-type'] !== 'application/json') return REFUSALS.rejected;
    this.rowsAtOnce -= 1;
    this.#keep(body);
    return { status: 200, body: '{"success":true}' };
  }

  #keep(body: Buffer): void {
    this.rows.push(JSON.parse(body.toString('utf8')) as Record<string, string>);
  }
}

/** Responses of a table, by meaning. */
export const REFUSALS: Record<Exclude<EnrichmentToolReason, 'timeout' | 'unreachable'>, ScriptedStatus> = {
  rate_limited: { status: 429, body: '{"message":"canary-of-a-stranger: too many records"}' },
  server: { status: 503, body: '<html>canary-of-a-stranger</html>' },
  credentials: { status: 401, body: '{"message":"Unauthorized"}' },
  no_table: { status: 404, body: '{"message":"Source not found"}' },
  quota: { status: 402, body: '{"message":"Payment required"}' },
  rejected: { status: 422, body: '{"message":"canary-of-a-stranger is no record"}' },
};
