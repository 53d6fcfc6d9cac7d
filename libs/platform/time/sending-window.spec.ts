import { DEEP, rounds } from '@testing';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterDelay, nextOpening, type SendingSchedule, type StepDelay, windowAt } from './sending-window';
import { addDays, getDay, getLocal, getWeekday } from './zone';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WEEKDAYS = [1, 2, 3, 4, 5];
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

function schedule(timezone: string, startTime: string, endTime: string, workingDays = EVERY_DAY): SendingSchedule {
  return { timezone, startTime, endTime, workingDays };
}

function describeWindow(given: SendingSchedule, at: string): string {
  const window = windowAt(given, new Date(at));
  if (window.open) return `open until ${window.closesAt.toISOString()}`;
  return `closed until ${window.opensAt?.toISOString() ?? 'ever'}`;
}

describe('a sending window', () => {
  const office = schedule('Europe/Berlin', '09:00', '17:00', WEEKDAYS);
  const night = schedule('Europe/Berlin', '22:00', '06:00', [5]);
  const always = schedule('Europe/Berlin', '00:00', '00:00');
  const wholeDay = schedule('Europe/Berlin', '00:00', '23:59', [5, 6]);
  it.each([
    ['before it opens', office, '2026-11-20T07:59:59.999Z', 'closed until 2026-11-20T08:00:00.000Z'],
    ['at its first moment', office, '2026-11-20T08:00:00.000Z', 'open until 2026-11-20T16:00:00.000Z'],
    ['at its last moment', office, '2026-11-20T15:59:59.999Z', 'open until 2026-11-20T16:00:00.000Z'],
    ['at its end, over the weekend', office, '2026-11-20T16:00:00.000Z', 'closed until 2026-11-23T08:00:00.000Z'],
    ['before a night', night, '2026-11-20T20:59:00.000Z', 'closed until 2026-11-20T21:00:00.000Z'],
    ['in a night, on the day it starts', night, '2026-11-20T22:00:00.000Z', 'open until 2026-11-21T05:00:00.000Z'],
    ['in a night, on the day after', night, '2026-11-21T04:59:00.000Z', 'open until 2026-11-21T05:00:00.000Z'],
    ['after a night', night, '2026-11-21T05:00:00.000Z', 'closed until 2026-11-27T21:00:00.000Z'],
    ['of a whole day', always, '2026-11-20T22:59:00.000Z', 'open until 2026-11-20T23:00:00.000Z'],
    ['of a whole day, at its end', always, '2026-11-20T23:00:00.000Z', 'open until 2026-11-21T23:00:00.000Z'],
    ['until 23:59, in its last minute', wholeDay, '2026-11-20T22:59:30.000Z', 'open until 2026-11-20T23:00:00.000Z'],
    [
      'until 23:59, followed by another such day',
      wholeDay,
      '2026-11-20T23:00:00.000Z',
      'open until 2026-11-21T23:00:00.000Z',
    ],
    [
      'until 23:59, on the last such day',
      wholeDay,
      '2026-11-21T23:00:00.000Z',
      'closed until 2026-11-26T23:00:00.000Z',
    ],
    ['without working days', { ...office, workingDays: [] }, '2026-11-20T08:00:00.000Z', 'closed until ever'],
    ['with invalid days', { ...office, workingDays: [0, 8] }, '2026-11-20T08:00:00.000Z', 'closed until ever'],
  ])('%s', (_name, given, at, expected) => {
    expect(describeWindow(given, at)).toBe(expected);
  });

  // Berlin's clocks change from 02:00 to 03:00 on 2026-03-29 (01:00 UTC) and from 03:00 to 02:00 on 2026-10-25 (01:00 UTC).
  const at = (start: string, end: string, days = EVERY_DAY) => schedule('Europe/Berlin', start, end, days);
  it.each([
    [
      'whose start is skipped opens at the change',
      at('02:30', '05:00'),
      '2026-03-28T23:00Z',
      'closed until 2026-03-29T01:00:00.000Z',
    ],
    [
      'whose end is skipped closes at the change',
      at('01:00', '02:30'),
      '2026-03-29T00:00Z',
      'open until 2026-03-29T01:00:00.000Z',
    ],
    [
      'that is skipped does not open',
      at('02:15', '02:45'),
      '2026-03-28T23:00Z',
      'closed until 2026-03-30T00:15:00.000Z',
    ],
    [
      'that is skipped on its only day waits for a week',
      at('02:15', '02:45', [7]),
      '2026-03-28T23:00Z',
      'closed until 2026-04-05T00:15:00.000Z',
    ],
    [
      'that is repeated opens the first time',
      at('02:15', '02:45'),
      '2026-10-25T00:15Z',
      'open until 2026-10-25T00:45:00.000Z',
    ],
    [
      'that is repeated does not open the second time',
      at('02:15', '02:45'),
      '2026-10-25T01:15Z',
      'closed until 2026-10-26T01:15:00.000Z',
    ],
    [
      'whose start is repeated stays open',
      at('02:30', '05:00'),
      '2026-10-25T01:15Z',
      'open until 2026-10-25T04:00:00.000Z',
    ],
    [
      'whose end is repeated closes the first time',
      at('01:00', '02:30'),
      '2026-10-25T01:15Z',
      'closed until 2026-10-26T00:00:00.000Z',
    ],
    [
      'of a night is an hour shorter in spring',
      at('22:00', '06:00'),
      '2026-03-28T21:00Z',
      'open until 2026-03-29T04:00:00.000Z',
    ],
    [
      'of a night is an hour longer in autumn',
      at('22:00', '06:00'),
      '2026-10-24T20:00Z',
      'open until 2026-10-25T05:00:00.000Z',
    ],
  ])('%s', (_name, given, moment, expected) => {
    expect(describeWindow(given, moment)).toBe(expected);
  });

  it('of a day that the zone skipped does not open, not even its part on the next day', () => {
    const samoa = schedule('Pacific/Apia', '22:00', '06:00', [5]);
    expect(getDay(new Date('2011-12-30T12:00:00Z'), 'Pacific/Apia')).toBe('2011-12-31');
    expect(describeWindow(samoa, '2011-12-30T12:00:00Z')).toBe('closed until 2012-01-06T08:00:00.000Z');
  });

  it('uses another zone when one is given', () => {
    const opensAt = new Date('2026-11-20T00:00:00Z');
    expect(windowAt(office, new Date('2026-11-19T23:00:00Z'), 'Asia/Tokyo')).toEqual({ open: false, opensAt });
    expect(nextOpening(office, new Date('2026-11-19T23:00:00Z'), 'Asia/Tokyo')).toEqual(opensAt);
    expect(nextOpening(office, opensAt, 'Asia/Tokyo')).toEqual(opensAt);
    expect(nextOpening({ ...office, workingDays: [] }, opensAt)).toBeNull();
  });
});

/** Three days around a clock change, in steps of 15 minutes. */
interface Change {
  zone: string;
  samples: { at: number; day: string; time: string }[];
}

/**
 * The effective clock of a window: the latest local time so far. It stands still while the local time repeats an hour.
 * Every clock change of these two years is at a quarter of an hour.
 */
function samplesAround(zone: string, change: number): Change {
  const samples: Change['samples'] = [];
  let shown = { day: '', time: '' };
  for (let at = change - 1.5 * DAY_MS; at <= change + 1.5 * DAY_MS; at += QUARTER_MS) {
    const local = getLocal(new Date(at), zone);
    if (`${local.day} ${local.time}` > `${shown.day} ${shown.time}`) shown = local;
    samples.push({ at, day: shown.day, time: shown.time.slice(0, 5) });
  }
  return { zone, samples };
}

/** The kind of a clock change: the local times before and after it. There are about sixty kinds. */
function kindOf({ zone, at }: { zone: string; at: number }): string {
  const [before, after] = [getLocal(new Date(at - 1), zone), getLocal(new Date(at), zone)];
  return `${before.weekday} ${before.time} ${after.weekday} ${after.time}`;
}

function changesOf(zone: string): number[] {
  const changes: number[] = [];
  const end = Date.parse('2028-01-01T00:00:00Z');
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from('2026-01-01T00:00:00Z').toZonedDateTimeISO(zone);
  for (at = at.getTimeZoneTransition('next'); at && at.epochMilliseconds < end; at = at.getTimeZoneTransition('next')) {
    changes.push(at.epochMilliseconds);
  }
  // A zone without changes is sampled at a new year.
  return changes.length > 0 ? changes : [Date.parse('2027-01-01T00:00:00Z')];
}

/** The reference rule: the local time is in [start, end) of a working day, or of a night that began on one. */
function isOpen(
  { startTime, endTime, workingDays }: SendingSchedule,
  { day, time }: Change['samples'][number],
): boolean {
  const works = (on: string) => workingDays.includes(getWeekday(on));
  if (endTime === '23:59') return works(day) && time >= startTime;
  if (startTime < endTime) return works(day) && time >= startTime && time < endTime;
  return (works(day) && time >= startTime) || (works(addDays(day, -1)) && time < endTime);
}

function expectTheRule({ zone, samples }: Change, given: SendingSchedule): void {
  let [opensAt, closesAt] = [Infinity, Infinity];
  for (const sample of samples.toReversed()) {
    const open = isOpen(given, sample);
    if (open) opensAt = sample.at;
    else closesAt = sample.at;
    const window = windowAt(given, new Date(sample.at), zone);
    // The message is built only on failure, because there are over a million samples.
    const seen = () =>
      `${zone} ${new Date(sample.at).toISOString()} ${JSON.stringify(given)} ${JSON.stringify(window)}`;
    if (window.open !== open) throw new Error(`Expected open=${open}: ${seen()}`);
    const ends = (window.open ? window.closesAt : window.opensAt)?.getTime() ?? Infinity;
    const expected = window.open ? closesAt : opensAt;
    // Beyond the three days, the end is unknown. Adjoining windows may be one or two.
    const meets = window.open && ends < expected && windowAt(given, new Date(ends), zone).open;
    const right = meets || (expected === Infinity ? ends > samples.at(-1)!.at : ends === expected);
    if (!right) throw new Error(`Ends wrongly: ${seen()}`);
    if (ends <= sample.at) throw new Error(`Ends before it began: ${seen()}`);
  }
}

describe('windows in all zones, at all clock changes of 2026 and 2027', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  const all = zones.flatMap((zone) => changesOf(zone).map((at) => ({ zone, at })));
  const kinds = new Map(all.map((change) => [kindOf(change), change]));
  const changes = (DEEP ? all : [...kinds.values()]).map(({ zone, at }) => samplesAround(zone, at));
  const quarter = fc
    .integer({ min: 0, max: 95 })
    .map(
      (number) => `${String(Math.floor(number / 4)).padStart(2, '0')}:${String((number % 4) * 15).padStart(2, '0')}`,
    );
  const number = fc.nat(changes.length - 1);
  const workingDays = fc.uniqueArray(fc.constantFrom(...EVERY_DAY), { minLength: 1 });

  it('cover more than 600 clock changes', () => {
    expect(new Set(all.map(({ zone }) => zone)).size).toBe(zones.length);
    expect(all.length).toBeGreaterThan(600);
    expect(kinds.size).toBeGreaterThan(40);
  });

  it.each([
    ['02:15', '02:45'],
    ['01:30', '23:30'],
    ['22:00', '06:00'],
    ['00:00', '00:00'],
    ['23:45', '00:15'],
    ['00:00', '23:59'],
    ['22:15', '23:59'],
  ])('from %s to %s are open by the local time and end as reported', (start, end) => {
    for (const change of changes) expectTheRule(change, schedule(change.zone, start, end));
  });

  it('with any hours and days are open by the local time and end as reported', () => {
    fc.assert(
      fc.property(number, quarter, quarter, workingDays, (index, start, end, days) => {
        const change = changes[index]!;
        expectTheRule(change, schedule(change.zone, start, end, days));
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('follow each other without an overlap for weeks', () => {
    fc.assert(
      fc.property(number, quarter, quarter, workingDays, (index, start, end, days) => {
        const change = changes[index]!;
        const given = schedule(change.zone, start, end, days);
        let at = new Date(change.samples[0]!.at);
        for (let round = 0; round < 20; round += 1) {
          const opens = nextOpening(given, at)!;
          expect(opens >= at).toBe(true);
          const window = windowAt(given, opens);
          expect(window.open).toBe(true);
          if (opens > at)
            expect(windowAt(given, new Date(opens.getTime() - 1))).toEqual({ open: false, opensAt: opens });
          const closes = window.open ? window.closesAt : at;
          expect(closes > opens).toBe(true);
          expect(windowAt(given, new Date(closes.getTime() - 1))).toEqual(window);
          at = closes;
        }
      }),
      { numRuns: rounds(300) },
    );
  });
});

describe('a step delay', () => {
  const berlin = schedule('Europe/Berlin', '09:00', '17:00', WEEKDAYS);
  const days = (value: number, workingDaysOnly = false): StepDelay => ({ value, unit: 'days', workingDaysOnly });
  const hours = (value: number, workingDaysOnly = false): StepDelay => ({ value, unit: 'hours', workingDaysOnly });
  it.each([
    ['no time', '2026-11-20T10:00:00.123Z', days(0), '2026-11-20T10:00:00.123Z'],
    ['days keep the local time', '2026-11-20T10:00:00.123Z', days(3), '2026-11-23T10:00:00.123Z'],
    ['days keep the local time over a clock change', '2026-10-24T08:00:00.000Z', days(1), '2026-10-25T09:00:00.000Z'],
    [
      'a skipped time becomes the moment of the change',
      '2026-03-28T01:30:00.000Z',
      days(1),
      '2026-03-29T01:00:00.000Z',
    ],
    ['a repeated time is the first', '2026-10-24T00:30:00.000Z', days(1), '2026-10-25T00:30:00.000Z'],
    ['working days skip the weekend', '2026-11-20T10:00:00.000Z', days(1, true), '2026-11-23T10:00:00.000Z'],
    ['five working days are a week', '2026-11-18T10:00:00.000Z', days(5, true), '2026-11-25T10:00:00.000Z'],
    ['working days from a weekend', '2026-11-21T10:00:00.000Z', days(1, true), '2026-11-23T10:00:00.000Z'],
    ['hours elapse', '2026-11-20T10:00:00.000Z', hours(36), '2026-11-21T22:00:00.000Z'],
    ['hours elapse over a clock change', '2026-10-24T22:00:00.000Z', hours(24), '2026-10-25T22:00:00.000Z'],
    // Friday 11:00 in Berlin: 13 hours remain until midnight, the other 11 are on Monday.
    ['hours of working days', '2026-11-20T10:00:00.000Z', hours(24, true), '2026-11-23T10:00:00.000Z'],
    ['hours that end with a working day', '2026-11-20T10:00:00.000Z', hours(13, true), '2026-11-20T23:00:00.000Z'],
    ['hours from a weekend', '2026-11-21T10:00:00.000Z', hours(2, true), '2026-11-23T01:00:00.000Z'],
    ['no hours', '2026-11-20T10:00:00.000Z', hours(0, true), '2026-11-20T10:00:00.000Z'],
  ])('%s', (_name, sentAt, delay, expected) => {
    expect(afterDelay(new Date(sentAt), delay, berlin).toISOString()).toBe(expected);
  });

  it('counts every day without working days', () => {
    const none = { ...berlin, workingDays: [] };
    const sentAt = new Date('2026-11-20T10:00:00Z');
    expect(afterDelay(sentAt, days(2, true), none)).toEqual(new Date('2026-11-22T10:00:00Z'));
    expect(afterDelay(sentAt, hours(30, true), none)).toEqual(new Date('2026-11-21T16:00:00Z'));
  });

  it('never ends before it begins, and is never shorter than a shorter delay', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
    const unit = fc.constantFrom<StepDelay['unit']>('days', 'hours');
    fc.assert(
      fc.property(zone, moment, unit, fc.boolean(), fc.nat(60), (timezone, sentAt, unitOf, workingDaysOnly, value) => {
        const given = { ...berlin, timezone };
        const due = afterDelay(sentAt, { value, unit: unitOf, workingDaysOnly }, given);
        const later = afterDelay(sentAt, { value: value + 1, unit: unitOf, workingDaysOnly }, given);
        expect(due >= sentAt).toBe(true);
        expect(later >= due).toBe(true);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});
