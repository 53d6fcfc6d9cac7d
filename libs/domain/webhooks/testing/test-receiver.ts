import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request as the receiver got it. */
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
/** Takes the request and says nothing, for as long as the connection lasts. */
export const hangs: Answer = () => undefined;

/** A webhook's receiver: a real HTTP server that answers as it is told, and keeps what it got. */
export class TestReceiver {
  readonly received: Received[] = [];
  /** How it answers from now on. */
  answer: Answer = accepts;
  /** Answers for the next requests, each once, before `answer`. */
  readonly next: Answer[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param address of this machine at which it listens */
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

  /** Ids in the order in which they came. */
  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  /** The message, if its signature is that of this secret by the official library; it throws otherwise. */
  verified(
    received: Received | undefined,
    secret: string,
  ): { id: string; type: string; data: Record<string, unknown> } {
    if (!received) throw new Error('Nothing was received');
    const headers = received.headers as Record<string, string>;
    return new Webhook(secret).verify(received.body, headers) as ReturnType<TestReceiver['verified']>;
  }

  /** What the official library signs the request with, whenever it came. */
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
