import fc from 'fast-check';
import { getEarliestSyncAt, getNextSyncAt, toSyncSchedule } from './sync-interval';

const at = (time: string): Date => new Date(`2026-11-22T${time}:00.000Z`);

describe('nextSyncAt', () => {
  it.each<[string, number, string, string]>([
    ['a step after it began', 60, '08:00', '09:00'],
    ['the next step, exactly at one', 60, '09:00', '10:00'],
    ['the next step for all that were missed', 60, '13:20', '14:00'],
    ['a step after it began, when the clock was set back', 60, '07:00', '09:00'],
  ])('is %s', (_what, everyMinutes, now, expected) => {
    expect(getNextSyncAt({ everyMinutes, beganAt: at('08:00') }, at(now))).toEqual(at(expected));
  });

  it('is later than now by at most one interval, and whole intervals after the start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 15, max: 10_080 }), fc.nat(1e9), (everyMinutes, passedMs) => {
        const beganAt = at('08:00');
        const now = new Date(beganAt.getTime() + passedMs);
        const next = getNextSyncAt({ everyMinutes, beganAt }, now);
        expect(next.getTime()).toBeGreaterThan(now.getTime());
        expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(everyMinutes * 60_000);
        expect((next.getTime() - beganAt.getTime()) % (everyMinutes * 60_000)).toBe(0);
      }),
    );
  });
});

describe('rhythmFor', () => {
  const before = { everyMinutes: 60, beganAt: at('08:00'), nextAt: at('11:00') };

  it('starts now, and waits for its first interval', () => {
    expect(toSyncSchedule(30, null, at('10:10'))).toEqual({
      everyMinutes: 30,
      beganAt: at('10:10'),
      nextAt: at('10:40'),
    });
  });

  it('stays unchanged when the same schedule is saved again, so that no sync is delayed', () => {
    expect(toSyncSchedule(60, before, at('10:10'))).toEqual(before);
  });

  it('restarts when the schedule changes', () => {
    expect(toSyncSchedule(15, before, at('10:10'))).toMatchObject({ beganAt: at('10:10'), nextAt: at('10:25') });
  });
});

it.each([
  ['none', null, null, null],
  ['the one there is', '09:00', null, '09:00'],
  ['the earlier one', '09:00', '08:30', '08:30'],
])('earliest is %s', (_what, pull, push, expected) => {
  const rhythm = (time: string | null) =>
    time === null ? null : { everyMinutes: 60, beganAt: at('08:00'), nextAt: at(time) };
  const pulled = rhythm(pull);
  const found = getEarliestSyncAt({
    pull: pulled && { ...pulled, campaignId: undefined as never },
    push: rhythm(push),
  });
  expect(found).toEqual(expected === null ? null : at(expected));
});
