import { CommandError } from './errors.mts';

/** MongoDB closes a cursor that is unused for this time. */
const IDLE_LIMIT_MS = 10 * 60_000;

const cursorNotFound = (id: bigint): CommandError =>
  new CommandError(43, 'CursorNotFound', `cursor id ${id} not found`);

interface OpenCursor {
  continuation: Buffer;
  db: string;
  lastUsed: number;
  tail: Promise<unknown>;
}

/**
 * The position of each open cursor. It is in the continuation document (and in a file of the server), so that any
 * PostgreSQL connection can serve the next page; requests for one cursor are answered one after the other.
 */
export class Cursors {
  readonly #open = new Map<bigint, OpenCursor>();
  readonly #forget: (ids: bigint[]) => Promise<void>;
  readonly #sweeper: NodeJS.Timeout;
  // Ids must not repeat those of an earlier run, whose cursor files may still be in the data folder.
  #lastId = BigInt(Date.now()) << 16n;

  constructor(forget: (ids: bigint[]) => Promise<void>, idleLimitMs = IDLE_LIMIT_MS) {
    this.#forget = forget;
    this.#sweeper = setInterval(() => this.#sweep(idleLimitMs), Math.min(30_000, idleLimitMs / 2));
    this.#sweeper.unref();
  }

  nextId(): bigint {
    return ++this.#lastId;
  }

  get size(): number {
    return this.#open.size;
  }

  opened(id: bigint, db: string, continuation: Buffer): void {
    this.#open.set(id, { continuation, db, lastUsed: Date.now(), tail: Promise.resolve() });
  }

  /** Runs `read` with the continuation; it returns the page and the next continuation, none at the end. */
  async next<T>(id: bigint, db: string, read: (continuation: Buffer) => Promise<[T, Buffer?]>): Promise<T> {
    const cursor = this.#open.get(id);
    if (cursor?.db !== db) throw cursorNotFound(id);
    const page = cursor.tail.then(async () => {
      // The previous page was the last, or the cursor was killed meanwhile.
      if (this.#open.get(id) !== cursor) throw cursorNotFound(id);
      cursor.lastUsed = Date.now();
      const [result, continuation] = await read(cursor.continuation);
      if (continuation) cursor.continuation = continuation;
      else this.#open.delete(id);
      return result;
    });
    cursor.tail = page.catch(() => {});
    return page;
  }

  async kill(ids: bigint[]): Promise<{ killed: bigint[]; notFound: bigint[] }> {
    const killed = ids.filter((id) => this.#open.delete(id));
    if (killed.length > 0) await this.#forget(killed);
    return { killed, notFound: ids.filter((id) => !killed.includes(id)) };
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#open.clear();
  }

  #sweep(idleLimitMs: number): void {
    const old = [...this.#open].filter(([, { lastUsed }]) => Date.now() - lastUsed > idleLimitMs).map(([id]) => id);
    if (old.length > 0) void this.kill(old).catch(() => {});
  }
}
