const DAY_MS = 86_400_000;

/**
 * When a schedule is due next: whole days after it began, and later than now. What was missed while everything was down is made up
 * for once, not one by one.
 */
export function nextDueAt(beganAt: Date, everyDays: number, now: Date): Date {
  const stepMs = everyDays * DAY_MS;
  const passedMs = Math.max(0, now.getTime() - beganAt.getTime());
  return new Date(beganAt.getTime() + (Math.floor(passedMs / stepMs) + 1) * stepMs);
}
