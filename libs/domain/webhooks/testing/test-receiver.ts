import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request that the receiver received. */
export interface Received {
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly at: number;
}

export type Answer = (response: ServerResponse, received: Received) => void;

export const accepts: Answer = (response) => void response.writeHead(204).end();
export const answers =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);
/** Accepts the request and never responds. */
export const hangs: Answer = () => undefined;

/** The receiver of a webhook: a real HTTP server with scripted answers that records its requests. */
export class TestReceiver {
  readonly received: Received[] = [];
  /** The answer to all further requests. */
  answer: Answer = accepts;
  /** The answers to the next requests, one each, before `answer` applies. */
  readonly next: Answer[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param address the local address on which it listens */
  static async start(address = '127.0.0.1'): Promise<TestReceiver> {
    const server = createServer();
    const receiver = new TestReceiver(server);
    server.on('request', (request, response) => void receiver.#take(request, response));
    await new Promise<void>((done) => server.listen(0, address, done));
    return receiver;
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}/hook`;
  }

  /** The message ids in order of arrival. */
  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  /** Returns the verified message. @throws when the official library rejects the signature with this secret */
  verified(
    received: Received | undefined,
    secret: string,
  ): { id: string; type: string; data: Record<string, unknown> } {
    if (!received) throw new Error('Nothing was received');
    const headers = received.headers as Record<string, string>;
    return new Webhook(secret).verify(received.body, headers) as ReturnType<TestReceiver['verified']>;
  }

  /** The signature by the official library at the given timestamp. */
  signature({ id, body }: Received, timestamp: string, secret: string): string {
    return new Webhook(secret).sign(id, new Date(Number(timestamp) * 1_000), body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    const body = Buffer.concat(chunks).toString('utf8');
    const received = { id: String(headers['webhook-id']), headers, body, at: Date.now() };
    this.received.push(received);
    (this.next.shift() ?? this.answer)(response, received);
  }
}
