/**
 * One after the other for each key: what would only get into each other's way in the database waits here instead. Between processes
 * nothing waits: what must be right then, the database sees to.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when all that came before it under this key is over, however it ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = Promise.withResolvers<void>();
    this.#last.set(key, mine.promise);
    try {
      await before;
      return await work();
    } finally {
      mine.resolve();
      // Nobody came after it: nothing is kept of the key.
      if (this.#last.get(key) === mine.promise) this.#last.delete(key);
    }
  }

  /** Keys under which something runs or waits. */
  get size(): number {
    return this.#last.size;
  }
}
