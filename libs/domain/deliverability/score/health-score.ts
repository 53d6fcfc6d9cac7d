import { type CheckStatus } from '../check';

/**
 * What each check is worth, of 100. Without SPF or DKIM large providers refuse mail or file it as spam; without DMARC they do so
 * with that of bulk senders; without MX replies and bounces are lost, and some receivers refuse.
 */
export const HEALTH_WEIGHTS = { spf: 30, dkim: 30, dmarc: 25, mx: 15 } as const;

export type ScoredCheck = keyof typeof HEALTH_WEIGHTS;

/** How much of its weight a check earns. */
const EARNED = { pass: 1, warn: 0.6, fail: 0 } as const;

const CHECKS = Object.keys(HEALTH_WEIGHTS) as ScoredCheck[];

/**
 * One number for the records of a domain: 0 (everything is wrong) to 100 (everything is right), whole. What is unknown counts
 * neither way: the others share its weight. null when nothing is known; then the former score stands.
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
