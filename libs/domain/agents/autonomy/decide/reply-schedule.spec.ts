import fc from 'fast-check';
import {
  getFollowupDueAt,
  getQuotaDay,
  getNextQuotaDay,
  getNextCheckAt,
  getReplyDueAt,
  getWorkingTime,
} from './reply-schedule';

const OFFICE = { timezone: 'Europe/Berlin', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] };
const NEVER = { ...OFFICE, workingDays: [] };
/** A Friday, 15:00 in Berlin. */
const FRIDAY = new Date('2026-11-20T14:00:00Z');
const MONDAY_NINE = new Date('2026-11-23T08:00:00Z');
const minutes = (count: number) => new Date(FRIDAY.getTime() + count * 60_000);

it.each([
  ['after its delay', 10, null, minutes(10)],
  ['at once without one', 0, null, minutes(0)],
  ['after its delay, while the agent works', 60, OFFICE, minutes(60)],
  ['when the agent works again, where the delay ends after hours', 120, OFFICE, MONDAY_NINE],
  ['never, for an agent that never works', 10, NEVER, null],
])('schedules a reply %s', (_name, delayMinutes, workingHours, expected) => {
  expect(getReplyDueAt(FRIDAY, FRIDAY, { delayMinutes, workingHours })).toEqual(expected);
});

it('schedules the reply to an old message at once', () => {
  const now = minutes(600);
  expect(getReplyDueAt(FRIDAY, now, { delayMinutes: 10, workingHours: null })).toEqual(now);
});

it('follows up after whole days, when the agent works', () => {
  expect(getFollowupDueAt(FRIDAY, 3, OFFICE)).toEqual(new Date('2026-11-23T14:00:00Z'));
  expect(getFollowupDueAt(FRIDAY, 1, OFFICE)).toEqual(MONDAY_NINE);
  expect(getFollowupDueAt(FRIDAY, 1, null)).toEqual(minutes(24 * 60));
});

it('counts days in the zone of the working hours, otherwise in UTC', () => {
  const late = new Date('2026-11-20T23:30:00Z');
  expect(getQuotaDay(late, null)).toBe('2026-11-20');
  expect(getQuotaDay(late, OFFICE)).toBe('2026-11-21');
  expect(getNextQuotaDay(late, null)).toEqual(new Date('2026-11-21T00:00:00Z'));
  expect(getNextQuotaDay(FRIDAY, OFFICE)).toEqual(MONDAY_NINE);
});

it.each([
  [0, 5],
  [10, 5],
  [60, 30],
  [3_600, 300],
])('after %d seconds schedules the next check in %d', (age, wait) => {
  const now = new Date(FRIDAY.getTime() + age * 1_000);
  expect(getNextCheckAt(FRIDAY, now)).toEqual(new Date(now.getTime() + wait * 1_000));
});

it('schedules the next evaluation for the end of the working hours, if that is earlier', () => {
  const closing = new Date('2026-11-20T16:00:00Z');
  const before = new Date(closing.getTime() - 3_000);
  expect(getNextCheckAt(before, before, OFFICE)).toEqual(closing);
  expect(getNextCheckAt(closing, closing, OFFICE)).toEqual(new Date(closing.getTime() + 5_000));
  expect(getNextCheckAt(before, before, NEVER)).toEqual(new Date(before.getTime() + 5_000));
});

it('is never before the delay, and always within the working hours', () => {
  const at = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(at, fc.integer({ min: 0, max: 10_000 }), (answeredAt, delayMinutes) => {
      const dueAt = getReplyDueAt(answeredAt, answeredAt, { delayMinutes, workingHours: OFFICE });
      expect(dueAt!.getTime()).toBeGreaterThanOrEqual(answeredAt.getTime() + delayMinutes * 60_000);
      expect(getWorkingTime(dueAt!, OFFICE)).toEqual(dueAt);
    }),
  );
});
