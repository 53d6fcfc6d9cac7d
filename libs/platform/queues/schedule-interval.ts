import { CronExpressionParser } from 'cron-parser';

/** A number of milliseconds, or a cron expression in an IANA zone. */
export type ScheduleInterval = { everyMs: number } | { cron: string; zone: string };

/** When a periodic task runs. */
export interface ScheduleRow {
  readonly name: string;
  readonly interval: ScheduleInterval;
  /** Number of attempts of a run, the first one included; only temporary failures are retried. */
  readonly attempts: number;
}

/** Returns the first run after `from`. Runs that were missed during an outage are made up for once. */
export function getNextRun(interval: ScheduleInterval, from: Date): Date {
  if ('everyMs' in interval) return new Date((Math.floor(from.getTime() / interval.everyMs) + 1) * interval.everyMs);
  return CronExpressionParser.parse(interval.cron, { currentDate: from, tz: interval.zone }).next().toDate();
}
