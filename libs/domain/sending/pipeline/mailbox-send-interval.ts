import { jittered, seeded } from '../decide/seed';

const MINUTE_MS = 60_000;

/** Emails of one turn, where the mailbox's gap lets it send several: then the others have theirs. */
export const EMAILS_PER_RUN = 50;

/** An email that takes so long from its claim to its server is late; less is nothing beside intervals of minutes. */
const LATE_MS = 1_000;

/**
 * Whether what has to lie between two emails must count from when this one is given away instead of from its claim. That is
 * noted before the server is given it: whatever happens afterwards, nobody writes too soon.
 */
export function isLate(claimedAt: Date, at: Date): boolean {
  return at.getTime() - claimedAt.getTime() >= LATE_MS;
}

/** The campaign's own interval, longer by up to 20 % so that no mailbox writes like a clock. */
export function getNextAt(
  { record, id }: { readonly id: string; readonly record: { readonly emailIntervalMinutes: number } },
  lead: { readonly id: string; readonly email: { readonly step: { readonly _id: unknown } } | null },
  at: Date,
): Date | null {
  const interval = record.emailIntervalMinutes * MINUTE_MS;
  if (interval === 0) return null;
  return new Date(at.getTime() + jittered(interval, seeded(id, lead.id, String(lead.email?.step._id))));
}
