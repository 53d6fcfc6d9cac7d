/** A mailbox of a campaign in its rotation. */
export interface RotationCandidate {
  /** New leads of the campaign that it has taken. */
  readonly taken: number;
  /** When it last took any lead of the campaign; null when it never did. */
  readonly lastServedAt: Date | null;
}

/** Another mailbox of a campaign. */
export interface OtherMailbox extends RotationCandidate {
  /** When it next takes a lead of the campaign, as far as is known: `actsAt`. */
  readonly nextAt: Date | null;
}

const MINUTE_MS = 60_000;
/** Who has to wait for another one looks again after this, or when that one acts. */
const PAUSE_MS = 100;
/** One lead and a twenty-fifth more than the others is even: mailboxes need not wait for each other at every lead. */
const EVEN = 25;

/**
 * New leads spread evenly over the mailboxes of a campaign: whoever has taken more than another one waits until that one has
 * had its turn, unless it does not act within a minute, or should have acted a minute ago and has not. One that has written
 * for the campaign since this one did has had its turn, whomever it wrote to: nobody waits twice for the same lead.
 * @returns null when it may take one now, otherwise when to look again
 */
export function rotationWait(mine: RotationCandidate, others: readonly OtherMailbox[], now: Date): Date | null {
  const behind = others.flatMap(({ taken, nextAt, lastServedAt }) => {
    const acts = nextAt !== null && Math.abs(nextAt.getTime() - now.getTime()) <= MINUTE_MS;
    const hadItsTurn = lastServedAt !== null && mine.lastServedAt !== null && lastServedAt > mine.lastServedAt;
    return acts && !hadItsTurn && isBehind(taken, mine.taken) ? [nextAt.getTime()] : [];
  });
  if (behind.length === 0) return null;
  return new Date(Math.max(now.getTime() + PAUSE_MS, Math.max(...behind)));
}

/** Whether a mailbox that has taken so many new leads is behind one that has taken `mine`. If it is, so is each with fewer. */
export function isBehind(taken: number, mine: number): boolean {
  return mine - taken > 1 + Math.floor(taken / EVEN);
}

/**
 * When a mailbox next takes a lead of a campaign, as far as is known: when its own plan and its interval in the campaign both
 * let it. null for one that only looks or tries again: nobody waits for what may not come.
 */
export function actsAt(
  { nextAt, isPoll }: { readonly nextAt: Date | null; readonly isPoll: boolean },
  share: { readonly nextAt: Date | null },
): Date | null {
  if (nextAt === null || isPoll) return null;
  return share.nextAt && share.nextAt > nextAt ? share.nextAt : nextAt;
}
