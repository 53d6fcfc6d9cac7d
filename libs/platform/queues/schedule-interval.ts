import { CronExpressionParser } from 'cron-parser';
import { type QueueName } from './queue-table';

/** Every so many milliseconds, or at the times of a cron line in an IANA zone. */
export type ScheduleInterval = { everyMs: number } | { cron: string; zone: string };

/** One repeating job. */
export interface ScheduleRow {
  name: string;
  interval: ScheduleInterval;
  queue: QueueName;
}

/** The first run after `from`. Runs that were missed while everything was down are made up for once, not one by one. */
export function getNextRun(rhythm: ScheduleInterval, from: Date): Date {
  if ('everyMs' in rhythm) return new Date((Math.floor(from.getTime() / rhythm.everyMs) + 1) * rhythm.everyMs);
  return CronExpressionParser.parse(rhythm.cron, { currentDate: from, tz: rhythm.zone }).next().toDate();
}
