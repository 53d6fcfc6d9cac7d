import { setTimeout as delay } from 'node:timers/promises';

/** The clock of a crawl: monotonic milliseconds, and waits. */
export interface CrawlTimer {
  now(): number;
  /** @throws the signal's reason */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM_TIMER: CrawlTimer = {
  now: () => performance.now(),
  wait: async (milliseconds, signal) => {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
