import { unlessAborted } from '@platform/concurrency';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

export interface JoinOptions {
  readonly signal: AbortSignal | undefined;
  /** Does not join an earlier query; later callers join this one. */
  readonly afresh: boolean;
}

/** Runs concurrent identical queries once, and aborts a query when all its callers have aborted. */
export class QueryCoalescer<T> {
  readonly #underway = new Map<string, Flight<T>>();

  /** @throws the signal's reason; other callers keep waiting */
  async join(key: string, start: (signal: AbortSignal) => Promise<T>, { signal, afresh }: JoinOptions): Promise<T> {
    signal?.throwIfAborted();
    const flight = (afresh ? undefined : this.#underway.get(key)) ?? this.#launch(key, start);
    flight.waiting += 1;
    try {
      return await unlessAborted(flight.result, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        this.#forget(key, flight);
        flight.stop.abort(new Error('All callers have aborted the query'));
      }
    }
  }

  #launch(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight: Flight<T> = { result: start(stop.signal), stop, waiting: 0 };
    this.#underway.set(key, flight);
    // Remaining callers receive the error; without callers it is ignored.
    flight.result.catch(() => undefined);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#underway.get(key) === flight) this.#underway.delete(key);
  }
}
