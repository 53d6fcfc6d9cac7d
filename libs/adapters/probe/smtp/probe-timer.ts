import { type ClockPort } from '@platform/clock';

/** Time for whoever waits: milliseconds of the clock, and a call after some of them. */
export interface ProbeTimer {
  now(): number;
  /** @returns takes the call back */
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
