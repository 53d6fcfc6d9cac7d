import { wasDue } from './idle-campaigns';

const schedule = { timezone: 'UTC', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] };
const week = { frequency: 'weekly', first: '2026-11-09', last: '2026-11-15', timezone: 'Europe/Berlin' } as const;
const sunday = { ...week, frequency: 'daily', first: '2026-11-15' } as const;
const before = new Date('2026-11-08T22:59:59Z');
const within = new Date('2026-11-08T23:00:00Z');

it.each([
  ['has been active since before the week', 'active', before, week, true],
  ['was started within the week', 'active', within, week, false],
  ['was never started', 'active', null, week, false],
  ['was paused', 'paused', before, week, false],
  ['does not send on Sundays, in a report about a Sunday', 'active', before, sunday, false],
] as const)('a campaign that %s', (_what, status, startedAt, period, expected) => {
  expect(wasDue({ status, startedAt, sendingSchedule: schedule }, period)).toBe(expected);
});
