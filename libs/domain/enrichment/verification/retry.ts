import { type VerificationReason } from './verdict-reasons';

/** Reasons that may pass. Servers that refuse this installation, or violate SMTP, will do so again. */
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
 * Milliseconds before the address is verified again: doubled after each attempt without an answer up to an hour, but
 * not less than its server requests; null when a retry would not help.
 */
export function getVerificationRetryMs(
  reasons: readonly VerificationReason[],
  requestedMs: number | null,
  attempts: number,
): number | null {
  if (findTemporaryReason(reasons) === null) return null;
  const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** attempts, MAX_WAIT_MS);
  return Math.max(backOffMs, requestedMs ?? 0);
}

/** The first temporary reason; null without one. Cautions, such as a role, come after it. */
export function findTemporaryReason(reasons: readonly VerificationReason[]): VerificationReason | null {
  return reasons.find((reason) => TEMPORARY.has(reason)) ?? null;
}
