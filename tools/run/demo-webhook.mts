import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type api, type Outreach, verifyWebhook } from '../../clients/typescript/src/index.ts';

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
] satisfies api.CreateWebhookRequest['events'];

/** Receives the messages of the demo workspace's webhook as a customer's server would: it rejects unsigned ones. */
export class DemoReceiver {
  readonly #server: Server;
  readonly #ids = new Set<string>();
  #refused = 0;
  #secret: string | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of the loopback interface. */
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

  /** Number of different messages with a valid signature. */
  get messages(): number {
    return this.#ids.size;
  }

  /** Number of requests with an invalid signature. */
  get refused(): number {
    return this.#refused;
  }

  /** Sets this receiver as the address of the demo webhook: an existing one, or a new one. */
  async subscribe(outreach: Outreach): Promise<void> {
    const known = await existing(outreach);
    const { secret } = known
      ? await outreach.webhooks.update(known._id, { url: this.url, status: 'active' })
      : await outreach.webhooks.create({ name: NAME, url: this.url, events: EVENTS });
    this.#secret = secret;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.#secret === undefined) {
      response.writeHead(503).end();
      return;
    }
    try {
      const message = { body: Buffer.concat(chunks), headers: request.headers, secret: this.#secret };
      this.#ids.add((await verifyWebhook(message)).id);
      response.writeHead(204).end();
    } catch {
      this.#refused += 1;
      response.writeHead(401).end();
    }
  }
}

async function existing(outreach: Outreach): Promise<api.ListedWebhookResponse | undefined> {
  for await (const webhook of outreach.webhooks.list({ limit: 100 })) if (webhook.name === NAME) return webhook;
  return undefined;
}
