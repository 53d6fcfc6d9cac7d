import { addDays, getDay, startOfDay, getWeekday } from '@platform/time';
import { type MailboxFacts } from './facts';
import { countOn } from './tokens';

const FRIDAY = 5;

/** Returns the facts for emails that a person waits for: such an email may also use warmup's share of the limit. */
export function withoutShare(mailbox: MailboxFacts): MailboxFacts {
  return mailbox.warmupShare === null ? mailbox : { ...mailbox, warmupShare: null };
}

/** Returns how many emails of the limit are reserved for the warmup mails still to be sent today. */
export function reservedForWarmup(mailbox: MailboxFacts, now: Date): number {
  const { warmupShare, dailySendLimit, timezone, day, dayWarmup } = mailbox;
  if (warmupShare === null) return 0;
  const today = getDay(now, timezone);
  if (isFree(warmupShare, today)) return 0;
  const left = warmupShare.mails - countOn({ day, used: dayWarmup }, today);
  return Math.max(0, Math.min(left, dailySendLimit));
}

/** Returns the next day on which warmup does not reserve the whole limit; null if there is none. */
export function nextShared({ warmupShare, dailySendLimit, timezone }: MailboxFacts, now: Date): Date | null {
  let day = addDays(getDay(now, timezone), 1);
  if (warmupShare !== null && warmupShare.mails >= dailySendLimit) {
    if (!warmupShare.weekdaysOnly || dailySendLimit <= 0) return null;
    while (!isFree(warmupShare, day)) day = addDays(day, 1);
  }
  return startOfDay(day, timezone);
}

/** Tells whether warmup sends nothing on the day. */
function isFree({ weekdaysOnly }: NonNullable<MailboxFacts['warmupShare']>, day: string): boolean {
  return weekdaysOnly && getWeekday(day) > FRIDAY;
}
