import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { unavailable } from '@platform/errors';
import { MetricsService } from '@platform/observability';
import { type ClientSession, type Connection } from 'mongoose';
import { isDatabaseUnavailable } from './database.errors';

/** Whether the caller is inside a transaction of any connection. */
const INSIDE = new AsyncLocalStorage<true>();

/** Whether the caller is inside a transaction: for what is shared with callers outside of it. */
export function isInsideTransaction(): boolean {
  return INSIDE.getStore() === true;
}

/** The driver would run a transaction that keeps conflicting again for two minutes. */
const GIVE_UP_MS = 10_000;

/** A transaction that is being run, and what is to be counted when it has been committed. */
interface Running {
  readonly toCount: (() => void)[];
}

type Participant = (session: ClientSession) => Promise<void>;

/** Runs changes of several documents as one: all of them or none. */
@Injectable()
export class TransactionService {
  readonly #running = new AsyncLocalStorage<Running>();
  readonly #participants = new AsyncLocalStorage<Participant>();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly metrics: MetricsService,
  ) {
    for (const outcome of ['committed', 'failed', 'unavailable']) metrics.transactions.inc({ outcome }, 0);
  }

  /**
   * Runs `work` in a transaction; every Mongoose call inside takes part without being told. A call inside another
   * transaction joins it. `work` may run more than once (write conflicts), so it must touch nothing but the database:
   * no mail, no HTTP call, no queue.
   * @throws SERVICE_UNAVAILABLE when it still conflicts after ten seconds
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running.getStore()) return work();
    const giveUpAt = performance.now() + GIVE_UP_MS;
    let running: Running | undefined;
    try {
      const result = await this.connection.transaction(async (session) => {
        if (running) this.metrics.transactionReruns.inc();
        running = { toCount: [] }; // what an earlier run noted was undone with it
        return this.#running.run(running, () =>
          INSIDE.run(true, async () => {
            if (performance.now() > giveUpAt)
              throw unavailable('Too many changes of the same records at once; try again');
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
    }
  }

  /**
   * Counts something when the running transaction has been committed, at once where none runs. For metrics and nothing else: it is
   * lost with the process.
   */
  countOnce(count: () => void): void {
    const running = this.#running.getStore();
    if (running) running.toCount.push(count);
    else count();
  }

  /** Whether the caller is inside a transaction: for what would be wrong or without effect there. */
  get running(): boolean {
    return this.#running.getStore() !== undefined;
  }

  /**
   * Runs `work` such that each transaction in it also performs `participant` just before its commit. The API uses it to
   * mark an idempotency key as carried out together with what it carried out.
   */
  runWithParticipant<T>(participant: Participant, work: () => Promise<T>): Promise<T> {
    return this.#participants.run(participant, work);
  }
}
