import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between the platform and a server, to make that server unreachable or silent and well again. */
export class FaultProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #silent = false;

  /** `target` is the server's own URL. */
  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Starts to forward and returns the URL to use instead of the target's. */
  async start(): Promise<string> {
    await this.#listen();
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.toString();
  }

  /** Connections break and new ones are refused. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  /** Connections stay open and new ones are accepted, but nothing is answered any more. */
  silence(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Well again, on the same port; does nothing while nothing is wrong. */
  async restore(): Promise<void> {
    if (this.#silent) for (const socket of this.#sockets) socket.destroy();
    this.#silent = false;
    if (!this.#server) await this.#listen();
  }

  async #listen(): Promise<void> {
    const server = createServer((client) => this.#forward(client));
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  #forward(client: Socket): void {
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.on('data', (chunk: Buffer) => other.write(chunk));
      if (this.#silent) socket.pause();
    }
  }
}
