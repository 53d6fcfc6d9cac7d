import { type CrmAutomationRecord, type SyncSchedule } from './schemas/crm-automation.record';

const MINUTE_MS = 60_000;

/** From 15 minutes, which respects the vendors' daily quotas, to a week. */
export const MIN_EVERY_MINUTES = 15;
export const MAX_EVERY_MINUTES = 7 * 24 * 60;

/** The next whole interval after now: runs missed during an outage are made up for once. */
export function getNextSyncAt({ beganAt, everyMinutes }: Omit<SyncSchedule, 'nextAt'>, now: Date): Date {
  const stepMs = everyMinutes * MINUTE_MS;
  const passedMs = Math.max(0, now.getTime() - beganAt.getTime());
  return new Date(beganAt.getTime() + (Math.floor(passedMs / stepMs) + 1) * stepMs);
}

/** Converts an interval to a schedule; an unchanged interval keeps its times. */
export function toSyncSchedule(everyMinutes: number, before: SyncSchedule | null, now: Date): SyncSchedule {
  if (before?.everyMinutes === everyMinutes) {
    return { everyMinutes, beganAt: before.beganAt, nextAt: before.nextAt };
  }
  return { everyMinutes, beganAt: now, nextAt: getNextSyncAt({ everyMinutes, beganAt: now }, now) };
}

/** The earlier of both. */
export function getEarliestSyncAt({ pull, push }: Pick<CrmAutomationRecord, 'pull' | 'push'>): Date | null {
  const times = [pull, push].filter((one) => one !== null).map(({ nextAt }) => nextAt.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
