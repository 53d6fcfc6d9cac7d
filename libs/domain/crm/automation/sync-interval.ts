import { type CrmAutomationRecord, type SyncRhythm } from './schemas/crm-automation.record';

const MINUTE_MS = 60_000;

/** From a quarter of an hour, which spares the vendors' daily quotas, to a week. */
export const LEAST_EVERY_MINUTES = 15;
export const MOST_EVERY_MINUTES = 7 * 24 * 60;

/** Whole steps after it began, and later than now: what was missed while everything was down is made up for once. */
export function nextSyncAt({ beganAt, everyMinutes }: Omit<SyncRhythm, 'nextAt'>, now: Date): Date {
  const stepMs = everyMinutes * MINUTE_MS;
  const passedMs = Math.max(0, now.getTime() - beganAt.getTime());
  return new Date(beganAt.getTime() + (Math.floor(passedMs / stepMs) + 1) * stepMs);
}

/** A rhythm as it is set; one that stays as it was is not begun anew. */
export function rhythmFor(everyMinutes: number, before: SyncRhythm | null, now: Date): SyncRhythm {
  if (before?.everyMinutes === everyMinutes) {
    return { everyMinutes, beganAt: before.beganAt, nextAt: before.nextAt };
  }
  return { everyMinutes, beganAt: now, nextAt: nextSyncAt({ everyMinutes, beganAt: now }, now) };
}

/** The earlier of both. */
export function earliest({ pull, push }: Pick<CrmAutomationRecord, 'pull' | 'push'>): Date | null {
  const times = [pull, push].filter((one) => one !== null).map(({ nextAt }) => nextAt.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
