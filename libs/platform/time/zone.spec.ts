import { rounds } from '@testing';
import fc from 'fast-check';
import { addDays, getDay, daysBetween, isDay, isZone, getLocal, getMoment, startOfDay, getWeekday } from './zone';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12', 'Etc/GMT-14'];
const DAY_MS = 86_400_000;
/** The clocks of Troll station change by two hours. */
const LARGEST_CHANGE_MS = 2 * 3_600_000;

const zones = fc.constantFrom(...ZONES);
const days = fc.integer({ min: 1, max: 30_000 }).map((number) => addDays('1970-01-01', number));
/** The days since 1970 that a zone skipped when it crossed the date line. */
const LEFT_OUT: Record<string, string> = {
  'Pacific/Apia': '2011-12-30',
  'Pacific/Fakaofo': '2011-12-30',
  'Pacific/Enderbury': '1994-12-31',
  'Pacific/Kanton': '1994-12-31',
  'Pacific/Kiritimati': '1994-12-31',
  'Pacific/Kwajalein': '1993-08-21',
};

const ODD = { offset: fc.integer({ min: -120_000, max: 120_000 }) };

describe('the day of a zone', () => {
  it.each([
    ['2026-11-21T23:59:59.999Z', 'UTC', '2026-11-21'],
    ['2026-11-21T23:30:00Z', 'Europe/Berlin', '2026-11-22'],
    ['2026-11-21T04:59:59Z', 'America/New_York', '2026-11-20'],
    ['2026-11-21T18:29:59Z', 'Asia/Kolkata', '2026-11-21'],
    ['2026-11-21T18:30:00Z', 'Asia/Kolkata', '2026-11-22'],
    ['2026-11-21T18:14:59Z', 'Asia/Kathmandu', '2026-11-21'],
    ['2026-11-21T18:15:00Z', 'Asia/Kathmandu', '2026-11-22'],
    ['2026-11-21T10:00:00Z', 'Pacific/Kiritimati', '2026-11-22'],
    ['2026-11-21T11:59:59Z', 'Etc/GMT+12', '2026-11-20'],
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31'],
  ])('at %s in %s is %s', (at, zone, day) => {
    expect(getDay(new Date(at), zone)).toBe(day);
  });

  it('is the calendar day of the zone, for any order of calls', () => {
    const near = fc.record({ day: days, offset: fc.integer({ min: -120_000, max: 120_000 }), zone: zones });
    // The clocks went back over midnight one minute after it; another zone has an offset of 44 minutes and 30 seconds.
    const odd = ['America/St_Johns 2006-10-29', 'Africa/Monrovia 1971-05-02', 'Africa/Monrovia 1972-01-07'];
    const cases = fc.oneof(
      near,
      fc.record({ ...ODD, place: fc.constantFrom(...odd) }).map(({ offset, place }) => {
        const [zone = '', day = ''] = place.split(' ');
        return { zone, day, offset };
      }),
    );
    fc.assert(
      fc.property(fc.array(cases, { minLength: 2, maxLength: 6 }), (all) => {
        for (const { zone, day, offset } of [...all, ...all]) {
          const at = new Date(startOfDay(day, zone).getTime() + offset);
          expect(getDay(at, zone)).toBe(getLocal(at, zone).day);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  it.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
    // The clocks change from 23:59:59 to 01:00: the day begins at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // From 24:00 back to 23:00: the day begins at the second midnight; the first one does not occur.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    // From 00:01 back to 23:01: midnight occurs twice.
    ['2006-10-29', 'America/St_Johns', '2006-10-29T02:30:00.000Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s begins in %s at %s', (day, zone, at) => {
    expect(startOfDay(day, zone).toISOString()).toBe(at);
  });

  it.each(Object.entries(LEFT_OUT))('that %s skipped begins with the next day', (zone, day) => {
    expect(startOfDay(day, zone)).toEqual(startOfDay(addDays(day, 1), zone));
  });

  it('begins with its first moment, in every zone and for every existing day', () => {
    fc.assert(
      fc.property(zones, days, (zone, day) => {
        const start = startOfDay(day, zone);
        expect(getDay(start, zone)).toBe(LEFT_OUT[zone] === day ? addDays(day, 1) : day);
        expect(getDay(new Date(start.getTime() - 1), zone) < day).toBe(true);
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('is computed for every zone, at both clock changes of the year', () => {
    for (const zone of ZONES) {
      for (const at of ['2026-03-29T01:00:00Z', '2026-11-01T06:00:00Z', '2026-07-01T00:00:00Z']) {
        const day = getDay(new Date(at), zone);
        expect(isDay(day)).toBe(true);
        const [start, end] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
        expect(start.getTime()).toBeLessThanOrEqual(Date.parse(at));
        expect(end.getTime()).toBeGreaterThan(Date.parse(at));
        expect(end.getTime() - start.getTime()).toBeGreaterThanOrEqual(DAY_MS - LARGEST_CHANGE_MS);
        expect(end.getTime() - start.getTime()).toBeLessThanOrEqual(DAY_MS + LARGEST_CHANGE_MS);
      }
    }
  });
});

describe('the clocks of a zone', () => {
  it.each([
    ['2026-11-21T23:30:00.999Z', 'Europe/Berlin', { day: '2026-11-22', time: '00:30:00', weekday: 7 }],
    ['2026-11-21T18:15:01Z', 'Asia/Kathmandu', { day: '2026-11-22', time: '00:00:01', weekday: 7 }],
    ['2026-11-23T10:59:59Z', 'Pacific/Pago_Pago', { day: '2026-11-22', time: '23:59:59', weekday: 7 }],
    ['2026-11-23T11:00:00Z', 'Pacific/Pago_Pago', { day: '2026-11-23', time: '00:00:00', weekday: 1 }],
  ])('at %s in %s show %j', (at, zone, shown) => {
    expect(getLocal(new Date(at), zone)).toEqual(shown);
    expect(getWeekday(shown.day)).toBe(shown.weekday);
  });

  it.each([
    ['2026-11-21', '09:30', 'Europe/Berlin', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21', '09:30:15', 'Asia/Kathmandu', '2026-11-21T03:45:15.000Z'],
    // Skipped by an hour and (Lord Howe) by half an hour: the moment of the change.
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-10-04', '02:10', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    // Skipped up to midnight: Greenland's clocks change from 23:00 to 00:00 of the next day.
    ['2026-03-28', '23:15', 'America/Nuuk', '2026-03-29T01:00:00.000Z'],
    // Repeated: the first occurrence.
    ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2011-12-30', '12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('show %s %s in %s first at %s', (day, time, zone, at) => {
    expect(getMoment(day, time, zone).toISOString()).toBe(at);
  });

  it.each(['Europe/Berlin', 'UTC', 'Etc/GMT+12', 'America/Argentina/Buenos_Aires', 'US/Eastern'])(
    '%s are known',
    (zone) => {
      expect(isZone(zone)).toBe(true);
    },
  );

  it.each(['', 'Europe/Atlantis', '+01:00', 'Europe/Berlin ', 'null'])('%j are unknown', (zone) => {
    expect(isZone(zone)).toBe(false);
  });
});

/**
 * Differences of tzdata 2026c (Node 24.21) from 2025c (Node 20.20): British Columbia and Alberta keep summer time
 * from 2026 on, and Morocco returns to UTC in September 2026. With old data, a window opens an hour off.
 */
describe('the zone data', () => {
  it.each([
    ['America/Vancouver', '2026-07-01', '05:00:00'],
    ['America/Vancouver', '2026-11-15', '05:00:00'], // 2025c: 04:00
    ['America/Vancouver', '2027-01-15', '05:00:00'], // 2025c: 04:00
    ['America/Vancouver', '2027-07-01', '05:00:00'],
    ['America/Edmonton', '2026-07-01', '06:00:00'],
    ['America/Edmonton', '2026-11-15', '06:00:00'], // 2025c: 05:00
    ['America/Edmonton', '2027-01-15', '06:00:00'], // 2025c: 05:00
    ['America/Edmonton', '2027-07-01', '06:00:00'],
    ['Africa/Casablanca', '2026-07-01', '13:00:00'],
    ['Africa/Casablanca', '2026-11-15', '12:00:00'], // 2025c: 13:00
    ['Africa/Casablanca', '2027-01-15', '12:00:00'], // 2025c: 13:00
    ['Africa/Casablanca', '2027-07-01', '12:00:00'], // 2025c: 13:00
    // The neighbouring zones still change their clocks, so these cases distinguish them.
    ['America/Los_Angeles', '2027-01-15', '04:00:00'],
    ['America/Denver', '2027-01-15', '05:00:00'],
  ])('are current for %s: at noon UTC of %s it is %s', (zone, day, time) => {
    const noon = new Date(`${day}T12:00:00Z`);
    expect(getLocal(noon, zone)).toMatchObject({ day, time });
    expect(getMoment(day, time, zone)).toEqual(noon);
  });
});

describe('calendar days', () => {
  it('follow each other over months, leap days and years', () => {
    expect(daysBetween('2028-02-27', '2028-03-01')).toEqual(['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01']);
    expect(daysBetween('2026-12-31', '2027-01-01')).toEqual(['2026-12-31', '2027-01-01']);
    expect(daysBetween('2026-01-01', '2026-01-01')).toEqual(['2026-01-01']);
    expect(daysBetween('2026-01-02', '2026-01-01')).toEqual([]);
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  it('are counted as they are listed', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 400 }), (day, later) => {
        expect(daysBetween(day, addDays(day, later))).toHaveLength(later + 1);
      }),
    );
  });

  it.each(['2026-11-21', '2028-02-29', '1970-01-01', '2999-12-31'])('%s is one', (text) => {
    expect(isDay(text)).toBe(true);
  });

  it.each([
    '',
    '2026-2-1',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1969-12-31',
    '3000-01-01',
    '9999-12-31',
    '2026-11-21T00:00',
    '20261121',
    '2026-11-21\n',
    '٢٠٢٦-١١-٢١',
  ])('%j is not one', (text) => {
    expect(isDay(text)).toBe(false);
  });
});
