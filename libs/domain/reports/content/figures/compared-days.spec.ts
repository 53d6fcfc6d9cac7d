import { addDays, daysBetween } from '@platform/time';
import fc from 'fast-check';
import { getPreviousDays, getTrendDays } from './compared-days';

const timezone = 'Europe/Berlin';

describe('the period of comparison', () => {
  it.each([
    ['a day', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['a week', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['a month, with the calendar month before it', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['January', '2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
    ['February of a leap year', '2028-02-01', '2028-02-29', '2028-01-01', '2028-01-31'],
    ['thirty days that are not a month', '2026-10-23', '2026-11-21', '2026-09-23', '2026-10-22'],
    ['two months', '2026-01-01', '2026-02-28', '2025-11-03', '2025-12-31'],
  ])('%s', (_what, first, last, expectedFirst, expectedLast) => {
    expect(getPreviousDays({ first, last, timezone })).toEqual({ first: expectedFirst, last: expectedLast, timezone });
  });

  it('ends where the period begins, and is as long unless both are months', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 60 }), (first, count) => {
        const before = getPreviousDays({ first, last: addDays(first, count - 1), timezone });
        expect(addDays(before.last, 1)).toBe(first);
        const isMonths = first.endsWith('-01') && before.first.endsWith('-01');
        if (!isMonths) expect(daysBetween(before.first, before.last)).toHaveLength(count);
      }),
    );
  });
});

describe('the days of the trend', () => {
  it('are those of the period, or two weeks that end with its only day', () => {
    expect(getTrendDays({ first: '2026-11-09', last: '2026-11-15', timezone }).first).toBe('2026-11-09');
    const daily = getTrendDays({ first: '2026-11-15', last: '2026-11-15', timezone });
    expect(daysBetween(daily.first, daily.last)).toHaveLength(14);
  });
});
