import { type DnsAnswer } from '@adapters/dns';
import { type BlacklistZone } from '../zones/zone';
import { getVerdict } from './zone-check';

/** `works`: what it says can be believed; `broken`: it lists nobody or everybody; `refused`: not us; `silent`: no answer came. */
export const SELF_TEST_OUTCOMES = ['works', 'broken', 'refused', 'silent'] as const;
export type SelfTestOutcome = (typeof SELF_TEST_OUTCOMES)[number];

export interface SelfTestFinding {
  readonly outcome: SelfTestOutcome;
  /** Why it does not work; null when it does. */
  readonly detail: string | null;
}

/**
 * Whether a zone can be believed, by what it says of its two test points (RFC 5782, section 5): one that lists nothing may be shut
 * down, one that lists everything is a wildcard, often of a domain that somebody else bought.
 */
export function selfTestFinding(
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
  // At a test point any answer counts: some zones have a code for it that is no other.
  if (clear.codes.length > 0)
    return { outcome: 'broken', detail: 'Lists what it must not list: its answers mean nothing' };
  if (listed.codes.length === 0)
    return { outcome: 'broken', detail: 'Does not list its own test entry: it may be shut down' };
  return { outcome: 'works', detail: null };
}
