import { setImmediate as tick } from 'node:timers/promises';
import { type GraphTime } from '../graph-time';

/** A clock whose waits end immediately. */
export class GraphTestTime implements GraphTime {
  /** The waits so far, in milliseconds. */
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

  after(ms: number, call: () => void): () => void {
    const waiting = new AbortController();
    void this.wait(ms).then(() => waiting.signal.aborted || call());
    return () => waiting.abort();
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
