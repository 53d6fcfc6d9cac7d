import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Call } from './demo.campaign.mts';

const NAME = 'Demo receiver';
const EVENTS = [
  'email.sent',
  'email.opened',
  'email.clicked',
  'email.replied',
  'email.positive_reply',
  'email.auto_replied',
  'email.bounced',
  'email.complained',
  'email.unsubscribed',
];

interface Hook {
  _id: string;
  name: string;
  secret: string;
}

/** Receives what the demo workspace's webhook is told, as a customer's server would: it believes nothing that is not signed. */
export class DemoReceiver {
  readonly #server: Server;
  readonly #ids = new Set<string>();
  #refused = 0;
  #signed: Webhook | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of this machine. */
  static async start(): Promise<DemoReceiver> {
    const server = createServer();
    const receiver = new DemoReceiver(server);
    server.on('request', (request, response) => void receiver.#take(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Different messages whose signature was right. */
  get messages(): number {
    return this.#ids.size;
  }

  /** Requests whose signature was not. */
  get refused(): number {
    return this.#refused;
  }

  /** Lets the demo workspace's webhook lead here: the one of an earlier start, or a new one. */
  async subscribe(call: Call): Promise<void> {
    const hooks = await call<Hook[]>('GET', '/webhooks?limit=100');
    const known = hooks.find(({ name }) => name === NAME);
    const { secret } = known
      ? await call<Hook>('PATCH', `/webhooks/${known._id}`, { url: this.url, status: 'active' })
      : await call<Hook>('POST', '/webhooks', { name: NAME, url: this.url, events: EVENTS });
    this.#signed = new Webhook(secret);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!this.#signed) {
      response.writeHead(503).end();
      return;
    }
    try {
      this.#signed.verify(Buffer.concat(chunks), request.headers as Record<string, string>);
      this.#ids.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    } catch {
      this.#refused += 1;
      response.writeHead(401).end();
    }
  }
}
