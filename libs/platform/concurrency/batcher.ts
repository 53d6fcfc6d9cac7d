import { AsyncLocalStorage } from 'node:async_hooks';
import { isInsideTransaction } from '@platform/database';

/** Where no request, job or transaction is under way: a batch is for all who asked, and belongs to none of them. */
const OUTSIDE = AsyncLocalStorage.snapshot();

interface PendingItem<T, R> {
  readonly item: T;
  readonly since: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch waits for company no longer than this part of the time that the last one took. */
const WAIT_SHARE = 0.5;

/**
 * Joins what many ask for at the same time: while one batch is being worked on, the next one gathers. Who comes alone is a
 * batch of one, at once. Where company is to be expected, since the last batch was not of one, the next may wait for it a
 * moment: that makes few and large batches of many small ones.
 */
export class Batcher<T, R> {
  #pending: PendingItem<T, R>[] = [];
  #working = false;
  /** How long the next batch waits for company, from its first item on, in milliseconds. */
  #waitMs = 0;

  /**
   * @param work answers each item, in their order; what it throws everybody of the batch gets
   * @param most items of one batch
   * @param waitsMs how long a batch waits for company at most, in milliseconds; 0: not at all
   */
  constructor(
    private readonly work: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly maxItems: number,
    private readonly maxWaitMs = 0,
  ) {}

  /**
   * The answer for one item. The work is done outside of whatever the caller is in.
   * @throws Error inside a transaction, of which the batch cannot be a part; what the work throws
   */
  async run(item: T): Promise<R> {
    if (isInsideTransaction()) throw new Error('A batch was asked for inside a transaction; ask before or after it');
    const asked = Promise.withResolvers<R>();
    this.#pending.push({ item, since: performance.now(), resolve: asked.resolve, reject: asked.reject });
    if (!this.#working) {
      this.#working = true;
      // Whoever asks in the same moment comes along.
      OUTSIDE(() => setImmediate(() => void this.#drain()));
    }
    return asked.promise;
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      await this.#waitForMore();
      const started = performance.now();
      const batch = this.#pending.splice(0, this.maxItems);
      try {
        const results = await this.work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, at) => resolve(results[at] as R));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      const tookMs = performance.now() - started;
      this.#waitMs = batch.length > 1 ? Math.min(this.maxWaitMs, tookMs * WAIT_SHARE) : 0;
    }
    this.#working = false;
  }

  async #waitForMore(): Promise<void> {
    const [first] = this.#pending;
    if (!first || this.#pending.length >= this.maxItems) return;
    const leftMs = first.since + this.#waitMs - performance.now();
    if (leftMs >= 1) await new Promise((done) => setTimeout(done, leftMs));
  }
}
