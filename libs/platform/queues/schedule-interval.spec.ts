import fc from 'fast-check';
import { getNextRun, type ScheduleInterval } from './schedule-interval';

const at = (text: string): Date => new Date(text);

describe('nextRun', () => {
  it.each<[string, ScheduleInterval, string, string]>([
    ['every minute, on the minute', { everyMs: 60_000 }, '2026-01-01T00:00:30Z', '2026-01-01T00:01:00Z'],
    ['every minute, exactly on the minute', { everyMs: 60_000 }, '2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z'],
    ['nightly in a zone', { cron: '0 2 * * *', zone: 'Europe/Berlin' }, '2026-07-01T12:00:00Z', '2026-07-02T00:00:00Z'],
    [
      'nightly in a zone, in winter',
      { cron: '0 2 * * *', zone: 'Europe/Berlin' },
      '2026-01-01T12:00:00Z',
      '2026-01-02T01:00:00Z',
    ],
    // On 29 March 2026, Berlin has no 02:30: the run happens an hour later in local time.
    [
      'through the hour that summer time skips',
      { cron: '30 2 * * *', zone: 'Europe/Berlin' },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:30:00Z',
    ],
  ])('%s', (_name, rhythm, from, expected) => {
    expect(getNextRun(rhythm, at(from)).toISOString()).toBe(at(expected).toISOString());
  });

  it('is always later than the given time', () => {
    const rhythm = fc.oneof(
      fc.integer({ min: 1_000, max: 1e8 }).map((everyMs): ScheduleInterval => ({ everyMs })),
      fc.constant<ScheduleInterval>({ cron: '*/7 * * * *', zone: 'Pacific/Apia' }),
    );
    fc.assert(
      fc.property(
        rhythm,
        fc.date({ min: at('2020-01-01'), max: at('2040-01-01'), noInvalidDate: true }),
        (given, from) => {
          expect(getNextRun(given, from).getTime()).toBeGreaterThan(from.getTime());
        },
      ),
    );
  });
});
