import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A message of the platform that triggers a fault. */
interface Trap {
  text: string;
  fault: 'cut' | 'silence';
  carriedOut: boolean;
  /** Number of messages with the text that still pass. */
  passes: number;
  /** The connection whose next response is dropped: the server has executed the message. */
  answering: Socket | undefined;
  sprung: () => void;
}

/** A proxy between the platform and a server that makes the server unreachable or silent, and restores it. */
export class FaultProxy {
  #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #silent = false;
  #trap: Trap | undefined;

  /** `target` is the server's own URL. */
  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Starts forwarding and returns the URL that replaces the target's. */
  async start(): Promise<string> {
    await this.#listen();
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.toString();
  }

  /** Forwards new connections to another server. */
  retarget(target: string): void {
    this.#target = new URL(target);
  }

  /** Breaks all connections and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  /** Keeps connections open and accepts new ones, but forwards nothing. */
  silence(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /**
   * Starts a fault at the `nth` message of the platform that contains `text`. The message is lost, or with `carriedOut` the server
   * executes it and only the response is lost. Resolves when the fault starts.
   */
  at(text: string, fault: 'cut' | 'silence', options: { nth?: number; carriedOut?: boolean } = {}): Promise<void> {
    const { nth = 1, carriedOut = false } = options;
    return new Promise((sprung) => {
      this.#trap = { text, fault, carriedOut, passes: nth - 1, answering: undefined, sprung };
    });
  }

  /** Ends the fault, on the same port; without effect when there is none. */
  async restore(): Promise<void> {
    this.#trap = undefined;
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
      socket.on('data', (chunk: Buffer) => {
        const passes = socket === client ? this.#sent(chunk, upstream) : this.#answered(upstream);
        if (passes) other.write(chunk);
      });
      if (this.#silent) socket.pause();
    }
  }

  /** Whether to forward a message of the platform to the server. */
  #sent(chunk: Buffer, upstream: Socket): boolean {
    const trap = this.#trap;
    if (!trap || trap.answering || !chunk.includes(trap.text)) return true;
    if (trap.passes > 0) {
      trap.passes -= 1;
      return true;
    }
    if (trap.carriedOut) trap.answering = upstream;
    else this.#spring(trap);
    return trap.carriedOut;
  }

  /** Whether to forward a response of the server to the platform. */
  #answered(upstream: Socket): boolean {
    const trap = this.#trap;
    if (trap?.answering !== upstream) return true;
    this.#spring(trap);
    return false;
  }

  #spring(trap: Trap): void {
    this.#trap = undefined;
    if (trap.fault === 'silence') {
      this.silence();
      return trap.sprung();
    }
    this.cut().then(trap.sprung, trap.sprung);
  }
}
