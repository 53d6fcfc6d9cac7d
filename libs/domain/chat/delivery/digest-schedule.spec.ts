import { getDay, getLocal } from '@platform/time';
import fc from 'fast-check';
import { type DigestSchedule, getDigestDueAt } from './digest-schedule';

const every = (everyMinutes: number, timezone = 'UTC'): DigestSchedule => ({
  mode: 'digest',
  everyMinutes,
  timeOfDay: null,
  timezone,
});
const daily = (timeOfDay: string, timezone: string): DigestSchedule => ({
  mode: 'digest',
  everyMinutes: null,
  timeOfDay,
  timezone,
});

it.each([
  ['at once', { ...every(60), mode: 'instant' } as const, '2026-11-22T10:07:00Z', '2026-11-22T10:07:00Z'],
  ['at the next full hour', every(60), '2026-11-22T10:07:00Z', '2026-11-22T11:00:00Z'],
  ['an hour later at a full hour', every(60), '2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z'],
  ['by the day of the zone', every(720, 'Asia/Kolkata'), '2026-11-22T10:07:00Z', '2026-11-22T18:30:00Z'],
  ['at midnight when the day holds no full interval', every(500), '2026-11-22T16:50:00Z', '2026-11-23T00:00:00Z'],
  ['once a day', every(1_440, 'Europe/Berlin'), '2026-11-22T10:00:00Z', '2026-11-22T23:00:00Z'],
  [
    'today, when the time is still to come',
    daily('09:00', 'Europe/Berlin'),
    '2026-11-22T07:59:59Z',
    '2026-11-22T08:00:00Z',
  ],
  ['tomorrow, when it is over', daily('09:00', 'Europe/Berlin'), '2026-11-22T08:00:00Z', '2026-11-23T08:00:00Z'],
  // Berlin: on 2026-03-29, 02:00 becomes 03:00; on 2026-10-25, 03:00 becomes 02:00.
  [
    'in summer time after the night of the change',
    daily('09:00', 'Europe/Berlin'),
    '2026-03-28T09:00:00Z',
    '2026-03-29T07:00:00Z',
  ],
  [
    'when the clocks jump over the time',
    daily('02:30', 'Europe/Berlin'),
    '2026-03-29T00:00:00Z',
    '2026-03-29T01:00:00Z',
  ],
  [
    'the first time, when it comes twice',
    daily('02:30', 'Europe/Berlin'),
    '2026-10-24T23:00:00Z',
    '2026-10-25T00:30:00Z',
  ],
  ['not a second time', daily('02:30', 'Europe/Berlin'), '2026-10-25T00:45:00Z', '2026-10-26T01:30:00Z'],
  ['each hour of a day of 25 hours', every(60, 'Europe/Berlin'), '2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z'],
])('schedules a post %s', (_name, rhythm, now, due) => {
  expect(getDigestDueAt(rhythm, new Date(now)).toISOString()).toBe(new Date(due).toISOString());
});

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Chatham');
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });

it('is later than now and, with an interval, at most one interval away', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 5, max: 1_440 }), zone, (now, minutes, timezone) => {
      const due = getDigestDueAt(every(minutes, timezone), now);
      expect(due.getTime()).toBeGreaterThan(now.getTime());
      expect(due.getTime() - now.getTime()).toBeLessThanOrEqual(minutes * 60_000);
    }),
  );
});

it('is due once on each day of the zone', () => {
  fc.assert(
    fc.property(moment, fc.nat(1_439), zone, (now, minute, timezone) => {
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
      const first = getDigestDueAt(daily(time, timezone), now);
      const second = getDigestDueAt(daily(time, timezone), first);
      expect(getDay(second, timezone) > getDay(first, timezone)).toBe(true);
      expect(second.getTime() - first.getTime()).toBeLessThanOrEqual(26 * 3_600_000);
      const shown = getLocal(first, timezone).time.slice(0, 5);
      expect(shown >= time).toBe(true);
    }),
  );
});
