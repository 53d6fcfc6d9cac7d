import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemTimer, type Timer } from '@platform/concurrency';

/** A replaceable clock in milliseconds of the epoch, so that tests do not wait. */
export interface GraphTime extends Timer {
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realTime: GraphTime = {
  ...createSystemTimer(Date.now),
  wait: async (ms, signal) => {
    await sleep(ms, undefined, signal ? { signal } : {});
  },
};
