/** Another mailbox of a campaign. */
export interface OtherMailbox {
  /** New leads of the campaign that it has taken. */
  readonly taken: number;
  /** When it acts next; null when nothing is in sight. */
  readonly nextAt: Date | null;
}

const MINUTE_MS = 60_000;
/** Who has to wait for another one looks again after this, or when that one acts. */
const PAUSE_MS = 100;
/** One lead and a twenty-fifth more than the others is even: mailboxes need not wait for each other at every lead. */
const EVEN = 25;

/**
 * New leads spread evenly over the mailboxes of a campaign: whoever has taken more than another one waits for it, unless
 * that one does not act within a minute, or should have acted a minute ago and has not.
 * @param mine new leads that this mailbox has taken
 * @returns null when it may take one now, otherwise when to look again
 */
export function rotationWait(mine: number, others: readonly OtherMailbox[], now: Date): Date | null {
  const behind = others.flatMap(({ taken, nextAt }) => {
    const acts = nextAt !== null && Math.abs(nextAt.getTime() - now.getTime()) <= MINUTE_MS;
    return acts && isBehind(taken, mine) ? [nextAt.getTime()] : [];
  });
  if (behind.length === 0) return null;
  return new Date(Math.max(now.getTime() + PAUSE_MS, Math.max(...behind)));
}

/** Whether a mailbox that has taken so many new leads is behind one that has taken `mine`. If it is, so is each with fewer. */
export function isBehind(taken: number, mine: number): boolean {
  return mine - taken > 1 + Math.floor(taken / EVEN);
}
