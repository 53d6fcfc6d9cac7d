/** Another mailbox of a campaign. */
export interface OtherMailbox {
  /** New leads of the campaign that it has taken. */
  taken: number;
  /** When it can next send for the campaign; null when nothing is in sight. */
  nextAt: Date | null;
}

/** A mailbox that acts this soon is waited for. */
const SOON_MS = 60_000;

/**
 * Whether it is a mailbox's turn to take a new lead, having taken `mine` so far: new leads spread evenly over the mailboxes
 * of a campaign, but nobody waits for a mailbox that cannot act within a minute.
 */
export function mayTakeNew(mine: number, others: readonly OtherMailbox[], now: Date): boolean {
  const soon = now.getTime() + SOON_MS;
  return !others.some(({ taken, nextAt }) => taken < mine && nextAt !== null && nextAt.getTime() <= soon);
}
