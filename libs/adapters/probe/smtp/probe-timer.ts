import { type ClockPort } from '@platform/clock';

/** A clock in milliseconds with delayed calls. */
export interface ProbeTimer {
  now(): number;
  /** @returns a function that cancels the call */
  after(milliseconds: number, call: () => void): () => void;
}

export function createSystemTimer(clock: ClockPort): ProbeTimer {
  return {
    now: () => clock.now().getTime(),
    after: (milliseconds, call) => {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
