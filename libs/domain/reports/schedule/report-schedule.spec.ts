import { rounds } from '@testing';
import { addDays, getDay, getLocal, getMoment, getWeekday } from '@platform/time';
import fc from 'fast-check';
import { REPORT_FREQUENCIES } from '../content/report-shape';
import {
  getNextScheduledAt,
  getPeriodBefore,
  getPeriodKey,
  getPeriodUpTo,
  type ReportFrequencyRule,
  getSlotAfter,
  getSlotUpTo,
} from './report-schedule';

const WEEKLY: ReportFrequencyRule = {
  frequency: 'weekly',
  dayOfWeek: 1,
  timeOfDay: '08:00',
  timezone: 'Europe/Berlin',
};

describe('the next report', () => {
  it.each([
    // The clocks of Berlin go forward on 2026-03-29 at 02:00 and back on 2026-10-25 at 03:00.
    ['on the next matching day', WEEKLY, '2026-03-24T00:00:00Z', '2026-03-30T06:00:00.000Z'],
    ['the same day, before its time', WEEKLY, '2026-03-23T06:59:59Z', '2026-03-23T07:00:00.000Z'],
    ['a week later, right at its time', WEEKLY, '2026-03-23T07:00:00Z', '2026-03-30T06:00:00.000Z'],
    ['an hour later in UTC in winter', WEEKLY, '2026-10-20T00:00:00Z', '2026-10-26T07:00:00.000Z'],
    [
      'at the moment of the change, if the clocks skip the time',
      { ...WEEKLY, frequency: 'daily', timeOfDay: '02:30' },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'at the first occurrence, if the clocks show the time twice',
      { ...WEEKLY, frequency: 'daily', timeOfDay: '02:30' },
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'not at the second occurrence, if the clocks show the time twice',
      { ...WEEKLY, frequency: 'daily', timeOfDay: '02:30' },
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00.000Z',
    ],
    [
      'at one o’clock in São Paulo, whose midnight was skipped',
      { ...WEEKLY, frequency: 'daily', timeOfDay: '00:00', timezone: 'America/Sao_Paulo' },
      '2018-11-03T12:00:00Z',
      '2018-11-04T03:00:00.000Z',
    ],
    [
      'half an hour earlier in UTC on Lord Howe in summer',
      { ...WEEKLY, frequency: 'daily', timezone: 'Australia/Lord_Howe' },
      '2026-10-03T12:00:00Z',
      '2026-10-03T21:00:00.000Z',
    ],
    [
      'when the next day begins, on a day that Samoa left out',
      { ...WEEKLY, frequency: 'daily', timezone: 'Pacific/Apia' },
      '2011-12-29T20:00:00Z',
      '2011-12-30T10:00:00.000Z',
    ],
    [
      'at its time on the day after',
      { ...WEEKLY, frequency: 'daily', timezone: 'Pacific/Apia' },
      '2011-12-30T10:00:00Z',
      '2011-12-30T18:00:00.000Z',
    ],
    [
      'on the first such weekday of a month',
      { ...WEEKLY, frequency: 'monthly', timezone: 'UTC' },
      '2026-01-06T00:00:00Z',
      '2026-02-02T08:00:00.000Z',
    ],
    [
      'five weeks later in a month that begins late',
      { ...WEEKLY, frequency: 'monthly', timezone: 'UTC' },
      '2026-05-04T08:00:00Z',
      '2026-06-01T08:00:00.000Z',
    ],
  ] as const)('is due %s', (_when, schedule, after, at) => {
    expect(getNextScheduledAt(schedule, new Date(after)).toISOString()).toBe(at);
  });
});

describe('the period of a report', () => {
  it.each([
    ['daily', '2026-03-30T06:00:00Z', '2026-03-29', '2026-03-29'],
    ['weekly', '2026-03-30T06:00:00Z', '2026-03-23', '2026-03-29'],
    ['monthly', '2026-03-02T07:00:00Z', '2026-02-01', '2026-02-28'],
    ['monthly', '2028-03-06T07:00:00Z', '2028-02-01', '2028-02-29'],
    ['monthly', '2026-01-05T07:00:00Z', '2025-12-01', '2025-12-31'],
    ['monthly', '2026-05-04T06:00:00Z', '2026-04-01', '2026-04-30'],
  ] as const)('%s at %s: %s to %s', (frequency, at, first, last) => {
    const period = getPeriodBefore(new Date(at), frequency, 'Europe/Berlin');
    expect(period).toEqual({ frequency, first, last, timezone: 'Europe/Berlin' });
    expect(getPeriodKey(period)).toBe(`${frequency} ${first} ${last}`);
  });

  it.each([
    ['daily', '2026-03-30', '2026-03-30'],
    ['weekly', '2026-03-24', '2026-03-30'],
    ['monthly', '2026-03-01', '2026-03-30'],
  ] as const)('requested manually, %s: includes today', (frequency, first, last) => {
    // It is half past midnight of the 30th there, and the 29th in UTC.
    const period = getPeriodUpTo(new Date('2026-03-29T22:30:00Z'), frequency, 'Europe/Berlin');
    expect(period).toMatchObject({ first, last });
  });
});

describe('any schedule, in any zone', () => {
  const schedules = fc.record({
    frequency: fc.constantFrom(...REPORT_FREQUENCIES),
    dayOfWeek: fc.integer({ min: 1, max: 7 }),
    timeOfDay: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`),
    timezone: fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone')),
  });
  const moments = fc.date({
    min: new Date('2012-01-15T00:00:00Z'),
    max: new Date('2037-12-31T00:00:00Z'),
    noInvalidDate: true,
  });

  it('is due in the future, on a matching day, at its time or right after a clock change skipped it', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, now) => {
        const { at } = getSlotAfter(schedule, now);
        const { day, time } = getLocal(at, schedule.timezone);
        expect(at.getTime()).toBeGreaterThan(now.getTime());
        expect(time.slice(0, 5) >= schedule.timeOfDay).toBe(true);
        expect(at).toEqual(getMoment(day, schedule.timeOfDay, schedule.timezone));
        if (schedule.frequency !== 'daily') expect(getWeekday(day)).toBe(schedule.dayOfWeek);
        if (schedule.frequency === 'monthly') expect(Number(day.slice(8))).toBeLessThanOrEqual(7);
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('skips no period and repeats none: each begins on the day after the one before', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, from) => {
        let slot = getSlotAfter(schedule, from);
        for (let index = 0; index < 8; index += 1) {
          const next = getSlotAfter(schedule, slot.at);
          expect(next.period.first).toBe(addDays(slot.period.last, 1));
          expect(next.period.last >= next.period.first).toBe(true);
          slot = next;
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  it('covers whole days that are over when the report is due', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, now) => {
        const { at, period } = getSlotAfter(schedule, now);
        expect(period.last < getDay(at, schedule.timezone)).toBe(true);
        if (schedule.frequency !== 'monthly') expect(addDays(period.last, 1)).toBe(getDay(at, schedule.timezone));
      }),
      { numRuns: rounds(500) },
    );
  });

  it('was last due right before the next report', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, now) => {
        const last = getSlotUpTo(schedule, now);
        expect(last.at.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(getSlotAfter(schedule, last.at)).toEqual(getSlotAfter(schedule, now));
        expect(getSlotUpTo(schedule, last.at)).toEqual(last);
      }),
      { numRuns: rounds(500) },
    );
  });
});

function two(number: number): string {
  return String(number).padStart(2, '0');
}
