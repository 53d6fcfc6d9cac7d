import { CrmError } from '@adapters/crm';

const FIRST_COOLDOWN_MS = 5_000;
const MAX_COOLDOWN_MS = 1_800_000;
/** Maximum pause that a vendor can ask for: quotas reset daily. */
const MAX_REQUESTED_COOLDOWN_MS = 86_400_000;
/** Maximum random share added to a wait. */
const JITTER = 0.2;

/** Returns the cooldown in milliseconds: doubled with each consecutive failure, or as the vendor asks. Pure. */
export function getCooldownMs(
  error: unknown,
  { failures, cooldownUntil, now, chance }: { failures: number; cooldownUntil: Date | null; now: Date; chance: number },
): number {
  const requestedMs = Math.max(
    error instanceof CrmError ? (error.retryAfterMs ?? 0) : 0,
    cooldownUntil ? cooldownUntil.getTime() - now.getTime() : 0,
  );
  const own = Math.min(FIRST_COOLDOWN_MS * 2 ** Math.min(failures - 1, 20), MAX_COOLDOWN_MS);
  const cooldown = requestedMs > 0 ? Math.min(requestedMs, MAX_REQUESTED_COOLDOWN_MS) : own;
  return Math.ceil(cooldown * (1 + JITTER * chance));
}
