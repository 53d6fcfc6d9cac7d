import { addDays, getDay, startOfDay, getWeekday } from '@platform/time';
import { type MailboxFacts } from './facts';
import { countOn } from './tokens';

const FRIDAY = 5;

/** A mailbox for what people wait for: all of its limit is there, warmup's share too. */
export function withoutShare(mailbox: MailboxFacts): MailboxFacts {
  return mailbox.warmupShare === null ? mailbox : { ...mailbox, warmupShare: null };
}

/** How many emails of its limit a mailbox keeps for what warmup has still to send today. */
export function reservedForWarmup(mailbox: MailboxFacts, now: Date): number {
  const { warmupShare, dailySendLimit, timezone, day, dayWarmup } = mailbox;
  if (warmupShare === null) return 0;
  const today = getDay(now, timezone);
  if (isFree(warmupShare, today)) return 0;
  const left = warmupShare.mails - countOn({ day, used: dayWarmup }, today);
  return Math.max(0, Math.min(left, dailySendLimit));
}

/** The next day on which not all of the limit is kept; null when that is never. */
export function nextShared({ warmupShare, dailySendLimit, timezone }: MailboxFacts, now: Date): Date | null {
  let day = addDays(getDay(now, timezone), 1);
  if (warmupShare !== null && warmupShare.mails >= dailySendLimit) {
    if (!warmupShare.weekdaysOnly || dailySendLimit <= 0) return null;
    while (!isFree(warmupShare, day)) day = addDays(day, 1);
  }
  return startOfDay(day, timezone);
}

/** On such a day nobody warms up. */
function isFree({ weekdaysOnly }: NonNullable<MailboxFacts['warmupShare']>, day: string): boolean {
  return weekdaysOnly && getWeekday(day) > FRIDAY;
}
