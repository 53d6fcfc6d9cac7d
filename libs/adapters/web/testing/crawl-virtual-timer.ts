import { type CrawlTimer } from '../crawl/crawl-timer';

/** A timer in which waiting takes no time and is remembered. */
export class CrawlVirtualTimer implements CrawlTimer {
  readonly waits: number[] = [];
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  /** Time that something else takes. */
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
