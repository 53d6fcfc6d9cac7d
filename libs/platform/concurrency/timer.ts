/** Milliseconds and delayed calls; replaceable, so that tests do not wait. */
export interface Timer {
  now(): number;
  /** @returns a function that cancels the call */
  after(milliseconds: number, call: () => void): () => void;
}

/** @param now monotonic by default */
export function createSystemTimer(now: () => number = () => performance.now()): Timer {
  return {
    now,
    after: (milliseconds, call) => {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
