import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { unavailable } from '@platform/errors';
import { MetricsService } from '@platform/observability';
import { type ClientSession, type Connection } from 'mongoose';
import { isDatabaseUnavailable } from './database.errors';

/** Set inside a transaction of any connection. */
const INSIDE = new AsyncLocalStorage<true>();

/** Whether the caller is inside a transaction: for code that serves several callers at once. */
export function isInsideTransaction(): boolean {
  return INSIDE.getStore() === true;
}

/** The driver itself would rerun a conflicting transaction for two minutes. */
const GIVE_UP_MS = 10_000;

/** A running transaction with the counters to increment after its commit. */
interface Running {
  readonly toCount: (() => void)[];
}

type Participant = (session: ClientSession) => Promise<void>;

/** Runs changes of several documents in one transaction. */
@Injectable()
export class TransactionService {
  readonly #running = new AsyncLocalStorage<Running>();
  readonly #participants = new AsyncLocalStorage<Participant>();
  #onEnd: ((durationMs: number) => void) | undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly metrics: MetricsService,
  ) {
    for (const outcome of ['committed', 'failed', 'unavailable']) metrics.transactions.inc({ outcome }, 0);
  }

  /**
   * Runs `work` in a transaction, which every Mongoose call inside joins automatically. A call inside another transaction joins
   * that one. Write conflicts rerun `work`, so it must change the database only: no mail, no HTTP call, no queue.
   * @throws SERVICE_UNAVAILABLE after ten seconds of conflicts
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running.getStore()) return work();
    const beganAt = performance.now();
    const giveUpAt = beganAt + GIVE_UP_MS;
    let running: Running | undefined;
    try {
      const result = await this.connection.transaction(async (session) => {
        if (running) this.metrics.transactionReruns.inc();
        running = { toCount: [] }; // an earlier run was rolled back, and its counts with it
        return this.#running.run(running, () =>
          INSIDE.run(true, async () => {
            if (performance.now() > giveUpAt)
              throw unavailable('Too many concurrent changes of the same records; try again');
            const result = await work();
            await this.#participants.getStore()?.(session);
            return result;
          }),
        );
      });
      this.metrics.transactions.inc({ outcome: 'committed' });
      for (const count of running?.toCount ?? []) count();
      return result;
    } catch (error) {
      this.metrics.transactions.inc({ outcome: isDatabaseUnavailable(error) ? 'unavailable' : 'failed' });
      throw error;
    } finally {
      this.#onEnd?.(performance.now() - beganAt);
    }
  }

  /**
   * Calls `count` after the commit of the running transaction, or at once without one. For metrics only: a crash loses it.
   */
  countOnce(count: () => void): void {
    const running = this.#running.getStore();
    if (running) running.toCount.push(count);
    else count();
  }

  /** Calls `listener` with the duration of each transaction in milliseconds: how fast the database is for this process. */
  onEnd(listener: (durationMs: number) => void): void {
    this.#onEnd = listener;
  }

  /** Whether the caller is inside a transaction of this service. */
  get running(): boolean {
    return this.#running.getStore() !== undefined;
  }

  /**
   * Runs `work`, in which each transaction also runs `participant` just before its commit. The API marks an idempotency key as
   * completed in the transaction of the change itself.
   */
  runWithParticipant<T>(participant: Participant, work: () => Promise<T>): Promise<T> {
    return this.#participants.run(participant, work);
  }
}
