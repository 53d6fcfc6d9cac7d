import { addDays, getDay, type SendingSchedule, startOfDay, windowAt } from '@platform/time';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Maximum age of an answered message (milliseconds): a later reply would look automatic. */
export const MAX_AGE_MS = 7 * DAY_MS;
/** Lifetime of a reply from its due time, or from its request for approval (milliseconds). */
export const EXPIRES_AFTER_MS = 7 * DAY_MS;
/** Delay before the labelling of a message is checked again (milliseconds). */
export const LABELLING_PAUSE_MS = 30_000;
/** Delay after a temporary refusal by the mailbox (milliseconds). */
export const MAILBOX_PAUSE_MS = 30 * MINUTE_MS;
/** Delay of the first check after the handover (milliseconds); later checks are rarer. */
export const FIRST_CHECK_MS = 5_000;
const MAX_CHECK_DELAY_MS = 5 * MINUTE_MS;

type Hours = SendingSchedule | null;

/** The first time from `from` on within the working hours; null without working hours in sight. */
export function getWorkingTime(from: Date, hours: Hours): Date | null {
  if (!hours) return from;
  const window = windowAt(hours, from);
  return window.open ? from : window.opensAt;
}

/** When a message is answered; null when the agent never works. */
export function getReplyDueAt(
  answeredAt: Date,
  now: Date,
  { delayMinutes, workingHours }: { readonly delayMinutes: number; readonly workingHours: Hours },
): Date | null {
  const earliest = new Date(Math.max(now.getTime(), answeredAt.getTime() + delayMinutes * MINUTE_MS));
  return getWorkingTime(earliest, workingHours);
}

/** When a follow-up to a sent reply is written; null when the agent never works. */
export function getFollowupDueAt(sentAt: Date, delayDays: number, hours: Hours): Date | null {
  return getWorkingTime(new Date(sentAt.getTime() + delayDays * DAY_MS), hours);
}

/** The day (YYYY-MM-DD) to which a handover counts. */
export function getQuotaDay(at: Date, hours: Hours): string {
  return getDay(at, getZone(hours));
}

/** The start of working hours after a day whose limit is reached; null when the agent never works. */
export function getNextQuotaDay(at: Date, hours: Hours): Date | null {
  const zone = getZone(hours);
  return getWorkingTime(startOfDay(addDays(getDay(at, zone), 1), zone), hours);
}

/** The next check of a reply that was handed over: rarer with time, and at the end of the working hours. */
export function getNextCheckAt(handedAt: Date | null, now: Date, hours: Hours = null): Date {
  const age = now.getTime() - (handedAt ?? now).getTime();
  const checkAt = new Date(now.getTime() + Math.min(MAX_CHECK_DELAY_MS, Math.max(FIRST_CHECK_MS, age / 2)));
  const window = hours && windowAt(hours, now);
  return window?.open && window.closesAt < checkAt ? window.closesAt : checkAt;
}

function getZone(hours: Hours): string {
  return hours?.timezone ?? 'UTC';
}
