import { type VerificationReason } from './verdict-reasons';

/** What another time may be otherwise. Who refuses us, or does not know SMTP, will do so again. */
const TEMPORARY: ReadonlySet<VerificationReason> = new Set([
  'dns_no_answer',
  'greylisted',
  'server_busy',
  'server_unreachable',
  'server_timeout',
  'catch_all_unclear',
  'out_of_time',
]);

const FIRST_WAIT_MS = 5 * 60_000;
const MAX_WAIT_MS = 60 * 60_000;

/**
 * Milliseconds after which the same address is worth asking about again: twice as many after each time without an answer, at most an
 * hour, but no fewer than its server wants; null where asking again would not help.
 */
export function retryAfterMs(
  reasons: readonly VerificationReason[],
  wantedMs: number | null,
  attempts: number,
): number | null {
  if (findTemporaryReason(reasons) === null) return null;
  const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** attempts, MAX_WAIT_MS);
  return Math.max(backOffMs, wantedMs ?? 0);
}

/** Which of the reasons another time may be otherwise; null when none may. Cautions, such as a role, come after it. */
export function findTemporaryReason(reasons: readonly VerificationReason[]): VerificationReason | null {
  return reasons.find((reason) => TEMPORARY.has(reason)) ?? null;
}
