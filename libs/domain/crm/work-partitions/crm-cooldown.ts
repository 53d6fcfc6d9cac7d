import { CrmError } from '@adapters/crm';

const FIRST_COOLDOWN_MS = 5_000;
const MAX_COOLDOWN_MS = 1_800_000;
/** However long a vendor wants: a quota begins anew every day. */
const MAX_REQUESTED_COOLDOWN_MS = 86_400_000;
/** What is asked for again at a time is asked for a little later by everybody, each by as much as chance has it. */
const JITTER = 0.2;

/** Milliseconds for which nothing is asked of a CRM after so many failures in a row: twice as many for each, or as many as the vendor says. Pure. */
export function getCooldownMs(
  error: unknown,
  { strikes, restUntil, now, chance }: { strikes: number; restUntil: Date | null; now: Date; chance: number },
): number {
  const asked = Math.max(
    error instanceof CrmError ? (error.retryAfterMs ?? 0) : 0,
    restUntil ? restUntil.getTime() - now.getTime() : 0,
  );
  const own = Math.min(FIRST_COOLDOWN_MS * 2 ** Math.min(strikes - 1, 20), MAX_COOLDOWN_MS);
  const cooldown = asked > 0 ? Math.min(asked, MAX_REQUESTED_COOLDOWN_MS) : own;
  return Math.ceil(cooldown * (1 + JITTER * chance));
}
