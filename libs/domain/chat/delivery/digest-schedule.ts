import { addDays, getDay, getMoment, startOfDay } from '@platform/time';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';

const MINUTE_MS = 60_000;

export type DigestSchedule = Pick<ChatConnectionRecord, 'mode' | 'everyMinutes' | 'timeOfDay' | 'timezone'>;

/**
 * When a message of now is posted: at once; at the next full interval, counted from the start of the local day, so
 * that a day of 23 or 25 hours has fewer or more; or at the next time of day, which a clock change neither repeats
 * nor skips. Pure.
 */
export function getDigestDueAt({ mode, everyMinutes, timeOfDay, timezone }: DigestSchedule, now: Date): Date {
  if (mode === 'instant') return now;
  const today = getDay(now, timezone);
  const tomorrow = addDays(today, 1);
  if (timeOfDay !== null) {
    const at = getMoment(today, timeOfDay, timezone);
    return at > now ? at : getMoment(tomorrow, timeOfDay, timezone);
  }
  if (everyMinutes === null) return now;
  const start = startOfDay(today, timezone).getTime();
  const intervalMs = everyMinutes * MINUTE_MS;
  const next = start + (Math.floor((now.getTime() - start) / intervalMs) + 1) * intervalMs;
  return new Date(Math.min(next, startOfDay(tomorrow, timezone).getTime()));
}
