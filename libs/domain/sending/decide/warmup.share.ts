import { dayOf, weekdayOf } from '@platform/time';
import { type MailboxFacts } from './facts';
import { countOn } from './tokens';

const FRIDAY = 5;

/** A mailbox for what people wait for: all of its limit is there, warmup's share too. */
export function withoutShare(mailbox: MailboxFacts): MailboxFacts {
  return mailbox.warmupShare === null ? mailbox : { ...mailbox, warmupShare: null };
}

/** How many emails of its limit a mailbox keeps for what warmup has still to send today. */
export function keptForWarmup(mailbox: MailboxFacts, now: Date): number {
  const { warmupShare, dailySendLimit, timezone, day, dayWarmup } = mailbox;
  if (warmupShare === null) return 0;
  const today = dayOf(now, timezone);
  if (warmupShare.weekdaysOnly && weekdayOf(today) > FRIDAY) return 0;
  const left = warmupShare.mails - countOn({ day, used: dayWarmup }, today);
  return Math.max(0, Math.min(left, dailySendLimit));
}
