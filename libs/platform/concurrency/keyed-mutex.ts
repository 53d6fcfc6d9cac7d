import { Mutex } from 'async-mutex';
import { acquireUnlessAborted } from './unless-aborted';

/**
 * Runs work of one key sequentially within this process, where parallel runs would only conflict in the database. Correctness
 * across processes is up to the database.
 */
export class KeyedMutex {
  readonly #mutexes = new Map<string, { readonly mutex: Mutex; users: number }>();

  /**
   * Runs `work` after all earlier work of this key has settled.
   * @param signal leaves the queue; started work continues unless it observes the signal
   * @throws the signal's reason, or the error of the work
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const entry = this.#mutexes.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.#mutexes.set(key, entry);
    entry.users += 1;
    try {
      const release = await acquireUnlessAborted(entry.mutex, signal);
      try {
        return await work();
      } finally {
        release();
      }
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#mutexes.delete(key);
    }
  }

  /** Number of keys with running or waiting work. */
  get size(): number {
    return this.#mutexes.size;
  }
}
