import { type CrawlTimer } from '../crawl/crawl-timer';

/** A timer whose waits end immediately and are recorded. */
export class CrawlVirtualTimer implements CrawlTimer {
  readonly waits: number[] = [];
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  /** Advances the clock by other work. */
  pass(milliseconds: number): void {
    this.#nowMs += milliseconds;
  }

  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(milliseconds);
    this.#nowMs += milliseconds;
    return Promise.resolve();
  }
}
