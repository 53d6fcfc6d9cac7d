import { type DnsAnswer } from '@adapters/dns';
import { type BlacklistZone } from '../zones/zone';
import { getVerdict } from './zone-check';

/**
 * `works`: results are reliable; `broken`: it lists nothing or everything; `refused`: it refuses this installation; `silent`: no
 * answer.
 */
export const SELF_TEST_OUTCOMES = ['works', 'broken', 'refused', 'silent'] as const;
export type SelfTestOutcome = (typeof SELF_TEST_OUTCOMES)[number];

export interface SelfTestFinding {
  readonly outcome: SelfTestOutcome;
  /** Why it does not work; null when it does. */
  readonly detail: string | null;
}

/**
 * Evaluates a zone by its two test points (RFC 5782, section 5). A zone that lists nothing may be shut down; one that lists
 * everything is a wildcard, often of a resold domain.
 */
export function getSelfTestFinding(
  zone: Pick<BlacklistZone, 'codes'>,
  answers: { listed: DnsAnswer<string>; clear: DnsAnswer<string> },
): SelfTestFinding {
  const [listed, clear] = [getVerdict(zone, answers.listed), getVerdict(zone, answers.clear)];
  const strange = [listed, clear].find(({ result }) => result === 'zone_broken');
  if (strange) return { outcome: 'broken', detail: strange.meaning };
  const unanswered = [listed, clear].find(({ cause }) => cause === 'silent' || cause === 'refused');
  if (unanswered) {
    return { outcome: unanswered.cause === 'refused' ? 'refused' : 'silent', detail: unanswered.meaning };
  }
  // At a test point any answer counts: some zones use a code of their own for it.
  if (clear.codes.length > 0)
    return { outcome: 'broken', detail: 'Lists what it must not list: its answers mean nothing' };
  if (listed.codes.length === 0)
    return { outcome: 'broken', detail: 'Does not list its own test entry: it may be shut down' };
  return { outcome: 'works', detail: null };
}
