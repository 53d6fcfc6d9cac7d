import { nextDueAt } from './blacklist-schedule-interval';

const at = (text: string) => new Date(text);

it.each([
  ['the day after', '2026-11-01T08:30:00Z', 1, '2026-11-01T08:30:00Z', '2026-11-02T08:30:00Z'],
  ['a week after, at the same time of day', '2026-11-01T08:30:00Z', 7, '2026-11-01T08:31:07Z', '2026-11-08T08:30:00Z'],
  ['later than now when runs were missed', '2026-11-01T08:30:00Z', 2, '2026-11-08T00:00:00Z', '2026-11-09T08:30:00Z'],
  [
    'a whole step later when it is due right now again',
    '2026-11-01T00:00:00Z',
    3,
    '2026-11-04T00:00:00Z',
    '2026-11-07T00:00:00Z',
  ],
  [
    'no sooner than a step when a clock is behind',
    '2026-11-02T00:00:00Z',
    1,
    '2026-11-01T00:00:00Z',
    '2026-11-03T00:00:00Z',
  ],
])('is due %s', (_what, due, days, now, expected) => {
  expect(nextDueAt(at(due), days, at(now)).toISOString()).toBe(at(expected).toISOString());
});
