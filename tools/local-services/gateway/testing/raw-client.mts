import { BSON, type Document } from 'bson';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

const OP_MSG = 2013;
const MORE_TO_COME = 2;

interface MessageOptions {
  sequences?: Record<string, Document[]>;
  moreToCome?: boolean;
}

export function encodeMessage(requestId: number, command: Document, options: MessageOptions = {}): Buffer {
  const sections = [Buffer.from([0]), Buffer.from(BSON.serialize(command))];
  for (const [name, documents] of Object.entries(options.sequences ?? {})) {
    const body = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((one) => BSON.serialize(one))]);
    const size = Buffer.alloc(4);
    size.writeInt32LE(body.length + 4);
    sections.push(Buffer.from([1]), size, body);
  }
  const payload = Buffer.concat(sections);
  const head = Buffer.alloc(20);
  head.writeInt32LE(20 + payload.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(OP_MSG, 12);
  head.writeInt32LE(options.moreToCome ? MORE_TO_COME : 0, 16);
  return Buffer.concat([head, payload]);
}

/** Sends single protocol messages, including ones that no driver sends. */
export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  readonly #waiting = new Map<number, (reply: Document) => void>();
  #pending = Buffer.alloc(0);
  #lastId = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = once(socket, 'close');
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
  }

  static async connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  send(command: Document, options?: MessageOptions): Promise<Document> {
    const id = ++this.#lastId;
    this.socket.write(encodeMessage(id, command, options));
    return new Promise((done) => this.#waiting.set(id, done));
  }

  #hear(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 4 && this.#pending.length >= this.#pending.readInt32LE(0)) {
      const message = this.#pending.subarray(0, this.#pending.readInt32LE(0));
      this.#pending = this.#pending.subarray(message.length);
      const id = message.readInt32LE(8);
      this.#waiting.get(id)?.(BSON.deserialize(message.subarray(21)));
      this.#waiting.delete(id);
    }
  }
}
