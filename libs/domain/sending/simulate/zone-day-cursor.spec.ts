import { rounds } from '@testing';
import { afterDelay, getDay, type SendingSchedule, type StepDelay } from '@platform/time';
import fc from 'fast-check';
import { ZoneDayCursor } from './zone-day-cursor';

const ZONES = ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Pacific/Kiritimati'];

describe('the zone day cursor', () => {
  it('returns the zone’s days and the schedule’s delays across every clock change', () => {
    fc.assert(
      fc.property(
        fc.record({
          start: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-01'), noInvalidDate: true }),
          zone: fc.constantFrom(...ZONES),
          workingDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
          delays: fc.array(
            fc.record({
              value: fc.integer({ min: 0, max: 60 }),
              unit: fc.constantFrom('days' as const, 'hours' as const),
              workingDaysOnly: fc.boolean(),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          steps: fc.array(fc.integer({ min: 0, max: 20 * 3_600_000 }), { minLength: 5, maxLength: 15 }),
        }),
        ({ start, zone, workingDays, delays, steps }) => {
          const schedule: SendingSchedule = { timezone: zone, startTime: '09:00', endTime: '17:00', workingDays };
          const days = new ZoneDayCursor(schedule);
          let at = start.getTime();
          for (const step of steps) {
            at += step;
            expect(days.dayOf(at)).toBe(getDay(new Date(at), zone));
            for (const delay of delays satisfies StepDelay[]) {
              expect(days.afterDelay(at, delay)).toBe(afterDelay(new Date(at), delay, schedule).getTime());
            }
          }
        },
      ),
      { numRuns: rounds(400) },
    );
  });
});
