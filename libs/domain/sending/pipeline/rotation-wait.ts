/** The use of a campaign by one of its mailboxes, as far as rotation needs it. */
export interface RotationCandidate {
  /** Number of new leads of the campaign that the mailbox has taken. */
  readonly taken: number;
  /** When the mailbox last took any lead of the campaign; null if it never did. */
  readonly lastServedAt: Date | null;
}

/** Another mailbox of a campaign. */
export interface OtherMailbox extends RotationCandidate {
  /** When the mailbox next takes a lead of the campaign, as far as is known (`actsAt`). */
  readonly nextAt: Date | null;
}

const MINUTE_MS = 60_000;
/** Minimum delay before a waiting mailbox plans again. */
const PAUSE_MS = 100;
/**
 * Tolerance: one lead plus 1/25 of the other mailbox's leads, so that mailboxes need not wait for each other at every
 * lead.
 */
const EVEN = 25;

/**
 * Spreads new leads evenly over the mailboxes of a campaign. A mailbox that has taken more than another one waits for
 * that one to take a lead. It does not wait for a mailbox whose next run is more than a minute away or overdue. It does
 * not wait either for one that has taken any lead of the campaign since its own last one.
 * @returns null if the mailbox may take a new lead now, otherwise when to plan again
 */
export function rotationWait(mine: RotationCandidate, others: readonly OtherMailbox[], now: Date): Date | null {
  const behind = others.flatMap(({ taken, nextAt, lastServedAt }) => {
    const acts = nextAt !== null && Math.abs(nextAt.getTime() - now.getTime()) <= MINUTE_MS;
    const hasActedSince = lastServedAt !== null && mine.lastServedAt !== null && lastServedAt > mine.lastServedAt;
    return acts && !hasActedSince && isBehind(taken, mine.taken) ? [nextAt.getTime()] : [];
  });
  if (behind.length === 0) return null;
  return new Date(Math.max(now.getTime() + PAUSE_MS, Math.max(...behind)));
}

/**
 * Tells whether a mailbox with `taken` new leads is behind one with `mine`. If it is, so is every mailbox with fewer.
 */
export function isBehind(taken: number, mine: number): boolean {
  return mine - taken > 1 + Math.floor(taken / EVEN);
}

/**
 * Returns when a mailbox next takes a lead of a campaign: when both its next run and its interval in the campaign
 * permit it. Null for a run that only polls, because it may find nothing to send.
 */
export function actsAt(
  { nextAt, isPoll }: { readonly nextAt: Date | null; readonly isPoll: boolean },
  share: { readonly nextAt: Date | null },
): Date | null {
  if (nextAt === null || isPoll) return null;
  return share.nextAt && share.nextAt > nextAt ? share.nextAt : nextAt;
}
