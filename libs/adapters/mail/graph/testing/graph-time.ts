import { setImmediate as tick } from 'node:timers/promises';
import { type GraphTime } from '../graph-rate-limiter';

/** Time in which waiting takes no time. */
export class GraphTestTime implements GraphTime {
  /** What was waited, in milliseconds. */
  readonly waits: number[] = [];
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.#now += ms;
    await tick();
    signal?.throwIfAborted();
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
