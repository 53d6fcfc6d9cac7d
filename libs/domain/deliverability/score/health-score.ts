import { type CheckStatus } from '../check';

/**
 * Weight of each check, of 100. Without SPF or DKIM large providers refuse mail or file it as spam; without DMARC they do so for
 * bulk senders; without MX replies and bounces are lost, and some receivers refuse.
 */
export const HEALTH_WEIGHTS = { spf: 30, dkim: 30, dmarc: 25, mx: 15 } as const;

export type ScoredCheck = keyof typeof HEALTH_WEIGHTS;

/** Share of its weight that a check earns. */
const EARNED = { pass: 1, warn: 0.6, fail: 0 } as const;

const CHECKS = Object.keys(HEALTH_WEIGHTS) as ScoredCheck[];

/**
 * Returns the score of a domain: an integer from 0 (all wrong) to 100 (all right). Unknown checks leave their weight to the
 * others. null when all are unknown; the former score then stays.
 */
export function getHealthScore(statuses: Readonly<Record<ScoredCheck, CheckStatus>>): number | null {
  let earned = 0;
  let possible = 0;
  for (const check of CHECKS) {
    const status = statuses[check];
    if (status === 'unknown') continue;
    earned += HEALTH_WEIGHTS[check] * EARNED[status];
    possible += HEALTH_WEIGHTS[check];
  }
  return possible === 0 ? null : Math.round((100 * earned) / possible);
}
