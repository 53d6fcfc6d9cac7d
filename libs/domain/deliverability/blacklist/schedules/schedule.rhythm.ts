const DAY_MS = 86_400_000;

/**
 * When a schedule is due next: whole days after it was due, and later than now. What was missed while everything was down is made up
 * for once, not one by one.
 */
export function nextDueAt(dueAt: Date, everyDays: number, now: Date): Date {
  const stepMs = everyDays * DAY_MS;
  const behindMs = Math.max(0, now.getTime() - dueAt.getTime());
  return new Date(dueAt.getTime() + (Math.floor(behindMs / stepMs) + 1) * stepMs);
}
