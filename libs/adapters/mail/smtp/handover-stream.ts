import { Readable } from 'node:stream';

const BLOCK = 64 * 1024;
/** After dot-stuffing these five bytes occur only at the end of a message (RFC 5321, 4.1.1.4). */
const END_OF_MESSAGE = Buffer.from('\r\n.\r\n');

export interface HandoverEvents {
  /** The server is ready for the message. Nothing is sent before `start` is called. */
  readonly onReady: (start: () => void) => void;
  /** A part of it was written to the socket. */
  readonly onProgress: (complete: boolean) => void;
}

/**
 * A message stream for nodemailer's connection. nodemailer pipes it after 354, so `pipe` precedes the first byte. The bytes are slices of
 * the message, never copies.
 */
export class HandoverStream extends Readable {
  #offset = 0;
  #tail: Buffer = Buffer.alloc(0);
  #complete = false;
  #isStarted = false;
  #stopped = false;

  constructor(
    private readonly raw: Buffer,
    private readonly events: HandoverEvents,
  ) {
    super({ highWaterMark: BLOCK });
  }

  /** Whether the complete message with its final dot was written to the socket; whether it was transmitted is unknown. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Whether the server has requested it. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The connection has ended: discard what nodemailer's buffers still emit. */
  stop(): void {
    this.#stopped = true;
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    this.#isStarted = true;
    // nodemailer's destination stuffs dots and is piped into the socket before this is called, so its output was
    // already written when this listener runs.
    destination.on('data', (chunk: Buffer) => this.#written(chunk));
    this.events.onReady(() => {
      if (!this.#stopped) super.pipe(destination, options);
    });
    return destination;
  }

  override _read(): void {
    // Yields between blocks, so that other work runs and an early reply or a closed connection is noticed in time.
    if (this.#offset === 0) this.#pushBlock();
    else setImmediate(() => this.#pushBlock());
  }

  #pushBlock(): void {
    if (this.#stopped) return;
    const block = this.raw.subarray(this.#offset, this.#offset + BLOCK);
    this.#offset += block.length;
    this.push(block);
    if (this.#offset >= this.raw.length) this.push(null);
  }

  #written(chunk: Buffer): void {
    if (this.#stopped) return;
    const end = chunk.subarray(-END_OF_MESSAGE.length);
    this.#tail = Buffer.concat([this.#tail, end]).subarray(-END_OF_MESSAGE.length);
    this.#complete ||= this.#tail.equals(END_OF_MESSAGE);
    this.events.onProgress(this.#complete);
  }
}
