/** Emails that were sent in a time, and those of them that came back because nobody is at the address. */
export interface BounceCount {
  readonly sends: number;
  readonly bounces: number;
}

/** What a stop rests on. */
export interface BounceEvidence extends BounceCount {
  /** `bounces / sends`. */
  readonly rate: number;
  /** The rate is higher than this, with a confidence of 97.5 %: the lower end of the 95 % interval. */
  readonly bound: number;
}

/** Fewer emails say nothing. */
export const LEAST_SENDS = 20;
/** The bound above which something is wrong with the addresses. */
export const HIGHEST_BOUND = 0.02;
/** How long emails count, the present day included. */
export const WINDOW_DAYS = 28;

/** Of the standard normal distribution: 95 % lie within it on both sides. */
const Z = 1.959963984540054;

/** The lower end of the 95 % confidence interval of Wilson (1927) for a rate of `bounces` in `sends`; 0 without any. */
export function getLowerBound({ sends, bounces }: BounceCount): number {
  if (sends <= 0 || bounces <= 0) return 0;
  const rate = bounces / sends;
  const square = Z * Z;
  const centre = rate + square / (2 * sends);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / sends + square / (4 * sends * sends));
  return Math.max(0, (centre - spread) / (1 + square / sends));
}

/** Why nothing more must be sent; null when nothing speaks against it. */
export function getBounceEvidence(count: BounceCount): BounceEvidence | null {
  const { sends } = count;
  if (sends < LEAST_SENDS) return null;
  // A bounce may be known before its email counts as sent.
  const bounces = Math.min(count.bounces, sends);
  const bound = getLowerBound({ sends, bounces });
  return bound > HIGHEST_BOUND ? { sends, bounces, rate: bounces / sends, bound } : null;
}
