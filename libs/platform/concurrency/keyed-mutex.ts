/**
 * Runs work of one key sequentially within this process, where parallel runs would only conflict in the database. Correctness
 * across processes is up to the database.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work of this key has settled. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = Promise.withResolvers<void>();
    this.#last.set(key, mine.promise);
    try {
      await before;
      return await work();
    } finally {
      mine.resolve();
      // No later work waits, so the key is removed.
      if (this.#last.get(key) === mine.promise) this.#last.delete(key);
    }
  }

  /** Number of keys with running or waiting work. */
  get size(): number {
    return this.#last.size;
  }
}
