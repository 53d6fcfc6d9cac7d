import { getDay } from '@platform/time';
import { type DayCount, type MailboxFacts, type MailboxTokens, type Slot } from './facts';

const MINUTE_MS = 60_000;
const SLOT_MS = 5 * MINUTE_MS;
const ROLLING_MS = 24 * 60 * MINUTE_MS;

/** Returns the used number on a day. */
export function countOn(count: DayCount, day: string): number {
  return count.day === day ? count.used : 0;
}

/** Returns the count with one more use on a day. */
export function counted(count: DayCount, day: string): DayCount {
  return { day, used: countOn(count, day) + 1 };
}

/** Returns when the sends of a slot stop counting: when the end of its five minutes is 24 hours ago. */
export function slotEnds({ at }: Slot): number {
  return at.getTime() + SLOT_MS + ROLLING_MS;
}

/** Returns when a token of the last minute stops counting. */
export function recentEnds(takenAt: Date): number {
  return takenAt.getTime() + MINUTE_MS;
}

/** Returns the used budget after one more send, without what no longer counts. */
export function takeToken(mailbox: MailboxFacts, now: Date, { isWarmup = false } = {}): MailboxTokens {
  const { day, used } = counted({ day: mailbox.day, used: mailbox.dayUsed }, getDay(now, mailbox.timezone));
  const dayWarmup = countOn({ day: mailbox.day, used: mailbox.dayWarmup }, day) + (isWarmup ? 1 : 0);
  const at = getSlotStart(now);
  const current = mailbox.slots.find((slot) => slot.at.getTime() === at);
  const others = mailbox.slots.filter((slot) => slot !== current && slotEnds(slot) > now.getTime());
  return {
    lastSentAt: now,
    sentBefore: mailbox.lastSentAt,
    day,
    dayUsed: used,
    dayWarmup,
    slots: [...others, { at: new Date(at), used: (current?.used ?? 0) + 1 }],
    recent: mailbox.perMinuteLimit === null ? [] : [...mailbox.recent.filter(counts(now)), now],
  };
}

/** Returns the used budget, including the gap, without the token of an email that was not sent. */
export function returnToken(mailbox: MailboxFacts, takenAt: Date, { isWarmup = false } = {}): MailboxTokens {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup } = mailbox;
  const isOfDay = getDay(takenAt, mailbox.timezone) === day;
  const at = getSlotStart(takenAt);
  const slots = mailbox.slots.map((slot) => (slot.at.getTime() === at ? { ...slot, used: slot.used - 1 } : slot));
  const recent = [...mailbox.recent];
  const index = recent.findIndex((taken) => taken.getTime() === takenAt.getTime());
  if (index >= 0) recent.splice(index, 1);
  return {
    lastSentAt: lastSentAt?.getTime() === takenAt.getTime() ? sentBefore : lastSentAt,
    sentBefore,
    day,
    dayUsed: isOfDay ? Math.max(0, dayUsed - 1) : dayUsed,
    dayWarmup: isOfDay && isWarmup ? Math.max(0, dayWarmup - 1) : dayWarmup,
    slots: slots.filter(({ used }) => used > 0),
    recent,
  };
}

function getSlotStart(at: Date): number {
  return Math.floor(at.getTime() / SLOT_MS) * SLOT_MS;
}

function counts(now: Date): (takenAt: Date) => boolean {
  return (takenAt) => recentEnds(takenAt) > now.getTime();
}
