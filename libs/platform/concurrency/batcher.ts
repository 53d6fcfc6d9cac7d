import { AsyncLocalStorage } from 'node:async_hooks';
import { isInsideTransaction } from '@platform/database';

/** A context without request, job or transaction: a batch serves several callers and belongs to none of them. */
const OUTSIDE = AsyncLocalStorage.snapshot();

interface PendingItem<T, R> {
  readonly item: T;
  readonly since: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** The longest wait for more items, as a share of the duration of the last batch. */
const WAIT_SHARE = 0.5;

/**
 * Combines concurrent calls into batches: while one batch runs, the next one collects items. A single item is a batch of one
 * and starts at once. After a batch of several items the next one may wait briefly for more, which gives fewer and larger
 * batches.
 */
export class Batcher<T, R> {
  #pending: PendingItem<T, R>[] = [];
  #working = false;
  /** Wait of the next batch for more items, from its first item on, in milliseconds. */
  #waitMs = 0;

  /**
   * @param work returns one result per item, in their order; its error rejects every item of the batch
   * @param maxItems largest size of a batch
   * @param maxWaitMs longest wait of a batch for more items, in milliseconds; 0: none
   */
  constructor(
    private readonly work: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly maxItems: number,
    private readonly maxWaitMs = 0,
  ) {}

  /**
   * Returns the result of one item. The work runs outside the caller's request or job context.
   * @throws Error inside a transaction, which the batch cannot join; the error of the work
   */
  async run(item: T): Promise<R> {
    if (isInsideTransaction()) throw new Error('A batch cannot run inside a transaction; call it before or after');
    const result = Promise.withResolvers<R>();
    this.#pending.push({ item, since: performance.now(), resolve: result.resolve, reject: result.reject });
    if (!this.#working) {
      this.#working = true;
      // Calls of the same tick join the batch.
      OUTSIDE(() => setImmediate(() => void this.#drain()));
    }
    return result.promise;
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
