import { jittered, seeded } from '../decide/seed';

const MINUTE_MS = 60_000;

/** Maximum emails of one run, so that mailboxes without a gap do not delay others. */
export const EMAILS_PER_RUN = 50;

/** A handover this long after its claim is late; a shorter delay does not matter for intervals of minutes. */
const LATE_MS = 1_000;

/**
 * Tells whether gaps and intervals must count from the handover of this email instead of its claim. The new moment is
 * stored before the handover, so that no later failure permits an email too soon.
 */
export function isLate(claimedAt: Date, at: Date): boolean {
  return at.getTime() - claimedAt.getTime() >= LATE_MS;
}

/** Returns the end of the campaign's interval, extended by up to 20 % so that emails do not follow a fixed rhythm. */
export function getNextAt(
  { record, id }: { readonly id: string; readonly record: { readonly emailIntervalMinutes: number } },
  lead: { readonly id: string; readonly email: { readonly step: { readonly _id: unknown } } | null },
  at: Date,
): Date | null {
  const interval = record.emailIntervalMinutes * MINUTE_MS;
  if (interval === 0) return null;
  return new Date(at.getTime() + jittered(interval, seeded(id, lead.id, String(lead.email?.step._id))));
}
