import { type SendingSchedule, addDays, startOfDay, getWeekday } from '@platform/time';

/** Working days after the first day back: nobody reads cold mail on that day. */
const SETTLING_DAYS = 2;
/** Where no return is named. */
const ABSENCE_DAYS = 7;
const DAY_MS = 86_400_000;

type Days = Pick<SendingSchedule, 'timezone' | 'workingDays'>;

/**
 * When a lead is written to again that is out of office: two working days of the campaign after the first day back, or seven
 * days after the answer where it names none.
 * @param returnsOn YYYY-MM-DD
 */
export function resumesAt(answeredAt: Date, returnsOn: string | null, { timezone, workingDays }: Days): Date {
  if (returnsOn === null) return new Date(answeredAt.getTime() + ABSENCE_DAYS * DAY_MS);
  let day = returnsOn;
  for (let settled = 0; settled < SETTLING_DAYS;) {
    day = addDays(day, 1);
    if (workingDays.length === 0 || workingDays.includes(getWeekday(day))) settled += 1;
  }
  const at = startOfDay(day, timezone);
  return at > answeredAt ? at : new Date(answeredAt.getTime() + ABSENCE_DAYS * DAY_MS);
}
