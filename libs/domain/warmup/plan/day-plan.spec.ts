import { addDays, getLocal, getWeekday } from '@platform/time';
import fc from 'fast-check';
import { WARMUP_LANGUAGES } from '../schemas/warmup.record';
import { type DayPlanInput, LEAST_GAP_SECONDS, planDay } from './day-plan';
import { MOST_PER_PAIR, type Peer } from './peers';
import { getHoursOn, type WorkingHours } from './working-hours';

const HOURS: WorkingHours = {
  timezone: 'Europe/Berlin',
  windowStart: '08:00',
  windowEnd: '19:00',
  weekdaysOnly: false,
};
/** A Wednesday. */
const DATE = '2026-11-04';
const NO_HISTORY = { today: new Map<string, number>(), days: new Map<string, string[]>() };

function peer(id: string, more: Partial<Peer> = {}): Peer {
  return { id, languages: ['en'], incoming: 0, mostReceived: 50, ...more };
}

function peers(count: number): Peer[] {
  return Array.from({ length: count }, (_, index) => peer(`p${index}`));
}

function input(more: Partial<DayPlanInput> = {}): DayPlanInput {
  const mailbox = { id: 'me', languages: ['en'] as const, hours: HOURS, gapSeconds: 300 };
  return { mailbox, date: DATE, volume: 10, peers: peers(20), history: NO_HISTORY, seed: 'spec', ...more };
}

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia');
const hoursOfDay = fc
  .tuple(fc.integer({ min: 0, max: 21 }), fc.integer({ min: 1, max: 22 }))
  .map(([start, length]) => [start, Math.min(23, start + length)].map((hour) => `${String(hour).padStart(2, '0')}:00`));
const inputs = fc
  .record({
    zone: zones,
    window: hoursOfDay,
    weekdaysOnly: fc.boolean(),
    gapSeconds: fc.integer({ min: 0, max: 7_200 }),
    offset: fc.integer({ min: 0, max: 800 }),
    volume: fc.integer({ min: 0, max: 60 }),
    seed: fc.string(),
    others: fc.array(
      fc.record({
        languages: fc.uniqueArray(fc.constantFrom(...WARMUP_LANGUAGES), { minLength: 1 }),
        incoming: fc.integer({ min: 0, max: 30 }),
        mostReceived: fc.integer({ min: 0, max: 40 }),
        today: fc.integer({ min: 0, max: 3 }),
        days: fc.uniqueArray(fc.integer({ min: 1, max: 14 })),
      }),
      { maxLength: 30 },
    ),
  })
  .map(({ zone, window, weekdaysOnly, gapSeconds, offset, volume, seed, others }): DayPlanInput => {
    const [windowStart = '', windowEnd = ''] = window;
    const date = addDays('2026-01-01', offset);
    const known = others.map(({ today, days, ...fields }, index) => ({ id: `p${index}`, today, days, fields }));
    return {
      mailbox: {
        id: 'me',
        languages: ['en', 'de'],
        hours: { timezone: zone, windowStart, windowEnd, weekdaysOnly },
        gapSeconds,
      },
      date,
      volume,
      peers: [peer('me'), ...known.map(({ id, fields }) => ({ id, ...fields }))],
      history: {
        today: new Map(known.map(({ id, today }) => [id, today])),
        days: new Map(known.map(({ id, days }) => [id, days.map((before) => addDays(date, -before))])),
      },
      seed,
    };
  });

it('working hours that end at 23:59 last until midnight', () => {
  const late = { ...HOURS, windowStart: '22:00', windowEnd: '23:59' };
  const [from, to] = [Date.parse('2026-11-04T21:00:00Z'), Date.parse('2026-11-04T23:00:00Z')];
  expect(getHoursOn(DATE, late)).toEqual({ from, to });
});

describe('the plan of a day', () => {
  it('is the same for each call and order of the peers, and differs with the seed', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        expect(planDay({ ...given, peers: given.peers.toReversed() })).toEqual(planDay(given));
      }),
    );
    expect(planDay(input({ seed: 'other' }))).not.toEqual(planDay(input()));
  });

  it('lies within the working hours, in order, respects the gap, and never exceeds the volume', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const plan = planDay(given);
        const span = getHoursOn(given.date, given.mailbox.hours);
        expect(plan.length).toBeLessThanOrEqual(span === null ? 0 : given.volume);
        const gapMs = Math.max(LEAST_GAP_SECONDS, given.mailbox.gapSeconds) * 1_000;
        for (const [index, { at, ordinal }] of plan.entries()) {
          expect(ordinal).toBe(index);
          expect(at.getTime()).toBeGreaterThanOrEqual(span!.from);
          expect(at.getTime()).toBeLessThan(span!.to);
          if (index > 0) expect(at.getTime() - plan[index - 1]!.at.getTime()).toBeGreaterThanOrEqual(gapMs);
        }
      }),
    );
  });

  it('contains only other mailboxes with a common language, each at most twice a day and within its capacity', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const planned = Map.groupBy(planDay(given), ({ to }) => to);
        for (const [id, threads] of planned) {
          const found = given.peers.find((one) => one.id === id)!;
          expect(id).not.toBe('me');
          expect((given.history.today.get(id) ?? 0) + threads.length).toBeLessThanOrEqual(MOST_PER_PAIR);
          expect(found.incoming + threads.length).toBeLessThanOrEqual(found.mostReceived);
          for (const { language } of threads) {
            expect(found.languages).toContain(language);
            expect(given.mailbox.languages).toContain(language);
          }
        }
      }),
    );
  });

  it('reaches the full volume with enough peers, each used once', () => {
    const plan = planDay(input({ volume: 15 }));
    expect(plan).toHaveLength(15);
    expect(new Set(plan.map(({ to }) => to)).size).toBe(15);
    expect(new Set(plan.map(({ seed }) => seed)).size).toBe(15);
  });

  it('uses each peer at most once, so that mailboxes planned later in the day also find peers', () => {
    expect(
      planDay(input({ volume: 10, peers: peers(4) }))
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual(['p0', 'p1', 'p2', 'p3']);
  });

  it('leaves a minute between two mails of a mailbox without a gap, and the end of the day to answers', () => {
    const mailbox = { ...input().mailbox, gapSeconds: 0, hours: { ...HOURS, windowStart: '18:00' } };
    const plan = planDay(input({ mailbox, volume: 200, peers: peers(200) }));
    const gaps = plan.slice(1).map(({ at }, index) => at.getTime() - plan[index]!.at.getTime());
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(LEAST_GAP_SECONDS * 1_000);
    expect(plan.at(-1)!.at.getTime()).toBeLessThan(new Date('2026-11-04T17:58:30Z').getTime());
  });

  it('contains no more mails than the gap allows', () => {
    const mailbox = { ...input().mailbox, gapSeconds: 4 * 3_600 };
    expect(planDay(input({ mailbox }))).toHaveLength(3);
  });

  it('is empty on Saturdays and Sundays of its own zone with `weekdaysOnly`', () => {
    const hours = { ...HOURS, weekdaysOnly: true };
    const mailbox = { ...input().mailbox, hours };
    const days = Array.from({ length: 14 }, (_, index) => addDays('2026-11-02', index));
    const worked = days.filter((date) => planDay(input({ mailbox, date })).length > 0);
    expect(worked.map((day) => getWeekday(day))).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  });

  it('contains no mail in an hour skipped by a clock change', () => {
    const hours = { ...HOURS, windowStart: '02:00', windowEnd: '03:00' };
    const mailbox = { ...input().mailbox, hours };
    expect(planDay(input({ mailbox, date: '2026-03-29' }))).toEqual([]);
    expect(planDay(input({ mailbox, date: '2026-03-28' }))).not.toEqual([]);
  });

  it('contains half of the volume when half of the day is over', () => {
    const notBefore = new Date('2026-11-04T12:30:00Z');
    const plan = planDay(input({ volume: 10, notBefore }));
    expect(plan).toHaveLength(5);
    expect(plan.every(({ at }) => at >= notBefore)).toBe(true);
    expect(planDay(input({ notBefore: new Date('2026-11-04T18:00:00Z') }))).toEqual([]);
  });

  it('continues after the existing threads of the day', () => {
    const plan = planDay(input({ volume: 10, begun: 4 }));
    expect(plan.map(({ ordinal }) => ordinal)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(planDay(input({ volume: 3, begun: 4 }))).toEqual([]);
  });

  it('fills the rest of the day after a pause, up to the volume of the whole day', () => {
    const noon = new Date('2026-11-04T12:30:00Z');
    expect(planDay(input({ volume: 10, begun: 5, notBefore: noon }))).toHaveLength(5);
    expect(planDay(input({ volume: 10, begun: 8, notBefore: noon }))).toHaveLength(2);
    expect(planDay(input({ volume: 10, begun: 10, notBefore: noon }))).toEqual([]);
  });

  it('contains one thread at the smallest volume on a started day, and no second one', () => {
    const notBefore = new Date('2026-11-04T16:00:00Z');
    expect(planDay(input({ volume: 1, notBefore }))).toHaveLength(1);
    expect(planDay(input({ volume: 1, begun: 1, notBefore }))).toEqual([]);
    expect(planDay(input({ volume: 0, notBefore }))).toEqual([]);
  });

  it('prefers the peers with the fewest recent mails', () => {
    const met = { today: new Map<string, number>(), days: new Map([['p0', [addDays(DATE, -5)]]]) };
    const begun = { today: new Map([['p0', 1]]), days: new Map<string, string[]>() };
    for (const history of [met, begun]) {
      const chosen = Array.from({ length: 20 }, (_, index) =>
        planDay(input({ volume: 3, peers: peers(4), history, seed: `${index}` })).map(({ to }) => to),
      );
      expect(chosen.flat()).not.toContain('p0');
    }
  });

  it('skips peers of the last three days while there are others', () => {
    const running = [1, 2, 3].map((before) => addDays(DATE, -before));
    const history = { today: new Map<string, number>(), days: new Map([['p0', running]]) };
    const others = peers(6);
    expect(planDay(input({ volume: 5, peers: others, history })).map(({ to }) => to)).not.toContain('p0');
    expect(planDay(input({ volume: 11, peers: others, history })).map(({ to }) => to)).toContain('p0');
  });

  it('covers all hours, with the most mails at busy times', () => {
    const all = Array.from({ length: 400 }, (_, index) => planDay(input({ seed: `s${index}` }))).flat();
    const perHour = Map.groupBy(all, ({ at }) => getLocal(at, HOURS.timezone).time.slice(0, 2));
    const shares = [...perHour.values()].map((mails) => (11 * mails.length) / all.length);
    expect(perHour.size).toBe(11);
    expect(Math.min(...shares)).toBeGreaterThan(0.4);
    expect(Math.max(...shares)).toBeLessThan(1.5);
    expect(perHour.get('10')!.length).toBeGreaterThan(1.3 * perHour.get('13')!.length);
  });
});
