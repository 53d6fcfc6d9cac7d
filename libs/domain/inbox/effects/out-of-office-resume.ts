import { type SendingSchedule, addDays, startOfDay, getWeekday } from '@platform/time';

/** Working days after the return: people do not read cold mail on the first day back. */
const DAYS_AFTER_RETURN = 2;
/** Used when the reply names no return date. */
const DEFAULT_ABSENCE_DAYS = 7;
const DAY_MS = 86_400_000;

type Days = Pick<SendingSchedule, 'timezone' | 'workingDays'>;

/**
 * Returns when a campaign resumes with a lead that is out of office: two working days of the campaign after the first day
 * back, or seven days after the reply when it names no return date.
 * @param returnsOn first day back, YYYY-MM-DD
 */
export function getResumeTime(answeredAt: Date, returnsOn: string | null, { timezone, workingDays }: Days): Date {
  if (returnsOn === null) return new Date(answeredAt.getTime() + DEFAULT_ABSENCE_DAYS * DAY_MS);
  let day = returnsOn;
  for (let passed = 0; passed < DAYS_AFTER_RETURN;) {
    day = addDays(day, 1);
    if (workingDays.length === 0 || workingDays.includes(getWeekday(day))) passed += 1;
  }
  const at = startOfDay(day, timezone);
  return at > answeredAt ? at : new Date(answeredAt.getTime() + DEFAULT_ABSENCE_DAYS * DAY_MS);
}
