const MINUTE_MS = 60_000;

/** Without proof for this long, a send counts as sent: a duplicate email is worse than a missing one. */
export const UNCONFIRMED_AFTER_MS = 360 * MINUTE_MS;

/** Most servers show a message in the Sent folder within seconds, so later searches are less frequent. */
const RESOLVE_AFTER_MINUTES = [1, 2, 5, 10, 20, 40, 80, 160] as const;

/** Returns the next resolution of a send whose handover began at `handoverAt`. */
export function nextResolveAt(handoverAt: Date, now: Date): Date {
  const end = handoverAt.getTime() + UNCONFIRMED_AFTER_MS;
  const waits = RESOLVE_AFTER_MINUTES.map((minutes) => handoverAt.getTime() + minutes * MINUTE_MS);
  const next = waits.find((at) => at > now.getTime() + MINUTE_MS / 2) ?? end;
  return new Date(
    Math.min(Math.max(next, now.getTime() + MINUTE_MS / 2), Math.max(end, now.getTime() + MINUTE_MS / 2)),
  );
}
