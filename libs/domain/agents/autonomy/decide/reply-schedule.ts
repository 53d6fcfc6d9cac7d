import { addDays, getDay, type SendingSchedule, startOfDay, windowAt } from '@platform/time';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** An answer that nobody saw for so long is for people: what is written then reads as if it came from a machine. */
export const MAX_AGE_MS = 7 * DAY_MS;
/** From when it should have been written, or a person should have looked at it. */
export const EXPIRES_AFTER_MS = 7 * DAY_MS;
/** When it is looked again whether the model has labelled the answer. */
export const LABELLING_PAUSE_MS = 30_000;
/** When it is tried again what a mailbox forbids at the moment. */
export const MAILBOX_PAUSE_MS = 30 * MINUTE_MS;
/** After the hand-over; later the longer it takes. */
export const FIRST_CHECK_MS = 5_000;
const MAX_CHECK_DELAY_MS = 5 * MINUTE_MS;

type Hours = SendingSchedule | null;

/** The first moment from `from` on at which the agent works; null when there is none. */
export function getWorkingTime(from: Date, hours: Hours): Date | null {
  if (!hours) return from;
  const window = windowAt(hours, from);
  return window.open ? from : window.opensAt;
}

/** When an answer is replied to; null when the agent never works. */
export function getReplyDueAt(
  answeredAt: Date,
  now: Date,
  { delayMinutes, workingHours }: { readonly delayMinutes: number; readonly workingHours: Hours },
): Date | null {
  const wanted = new Date(Math.max(now.getTime(), answeredAt.getTime() + delayMinutes * MINUTE_MS));
  return getWorkingTime(wanted, workingHours);
}

/** When a follow-up is written to what was sent; null when the agent never works. */
export function getFollowupDueAt(sentAt: Date, delayDays: number, hours: Hours): Date | null {
  return getWorkingTime(new Date(sentAt.getTime() + delayDays * DAY_MS), hours);
}

/** YYYY-MM-DD that a hand-over counts to. */
export function getQuotaDay(at: Date, hours: Hours): string {
  return getDay(at, getZone(hours));
}

/** When the agent may hand over again after a day that is used up; null when it never works. */
export function getNextQuotaDay(at: Date, hours: Hours): Date | null {
  const zone = getZone(hours);
  return getWorkingTime(startOfDay(addDays(getDay(at, zone), 1), zone), hours);
}

/** When it is looked again what became of a reply: the longer it waits for its mailbox, the more seldom; and when the agent stops working. */
export function getNextCheckAt(handedAt: Date | null, now: Date, hours: Hours = null): Date {
  const age = now.getTime() - (handedAt ?? now).getTime();
  const wanted = new Date(now.getTime() + Math.min(MAX_CHECK_DELAY_MS, Math.max(FIRST_CHECK_MS, age / 2)));
  const window = hours && windowAt(hours, now);
  return window?.open && window.closesAt < wanted ? window.closesAt : wanted;
}

function getZone(hours: Hours): string {
  return hours?.timezone ?? 'UTC';
}
