const DAY_MS = 86_400_000;

/** Returns the next due time: whole days after the start, and later than now. Missed tests are made up by one. */
export function nextDueAt(beganAt: Date, everyDays: number, now: Date): Date {
  const stepMs = everyDays * DAY_MS;
  const passedMs = Math.max(0, now.getTime() - beganAt.getTime());
  return new Date(beganAt.getTime() + (Math.floor(passedMs / stepMs) + 1) * stepMs);
}
