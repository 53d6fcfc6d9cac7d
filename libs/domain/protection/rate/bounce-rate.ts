/** Sent emails of a period, and their hard bounces. */
export interface BounceCount {
  readonly sends: number;
  readonly bounces: number;
}

/** Evidence of a stop. */
export interface BounceEvidence extends BounceCount {
  /** `bounces / sends`. */
  readonly rate: number;
  /** The rate exceeds this bound with a confidence of 97.5 %: the lower end of the 95 % interval. */
  readonly bound: number;
}

/** Fewer emails are not evaluated. */
export const LEAST_SENDS = 20;
/** Bound above which the addresses are faulty. */
export const HIGHEST_BOUND = 0.02;
/** Period that counts, including today. */
export const WINDOW_DAYS = 28;

/** Standard normal distribution: 95 % lie within this distance on both sides. */
const Z = 1.959963984540054;

/** Lower end of the 95 % confidence interval of Wilson (1927) for a rate of `bounces` in `sends`; 0 without any. */
export function getLowerBound({ sends, bounces }: BounceCount): number {
  if (sends <= 0 || bounces <= 0) return 0;
  const rate = bounces / sends;
  const square = Z * Z;
  const centre = rate + square / (2 * sends);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / sends + square / (4 * sends * sends));
  return Math.max(0, (centre - spread) / (1 + square / sends));
}

/** Returns the evidence for a stop; null when the rate is acceptable. */
export function getBounceEvidence(count: BounceCount): BounceEvidence | null {
  const { sends } = count;
  if (sends < LEAST_SENDS) return null;
  // A bounce may be recorded before its email counts as sent.
  const bounces = Math.min(count.bounces, sends);
  const bound = getLowerBound({ sends, bounces });
  return bound > HIGHEST_BOUND ? { sends, bounces, rate: bounces / sends, bound } : null;
}
