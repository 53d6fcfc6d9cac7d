import fc from 'fast-check';
import { type HealthStatuses } from './health-report';
import { nextDaily, nextHealthCheck } from './health-check-interval';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WELL: HealthStatuses = { mx: 'pass', spf: 'pass', dkim: 'warn', dmarc: 'pass' };

const inHours = (statuses: Partial<HealthStatuses>, key = 'example.org') =>
  (nextHealthCheck({ ...WELL, ...statuses }, key, NOW).getTime() - NOW.getTime()) / HOUR;

describe('the next check', () => {
  it.each(['mx', 'spf', 'dkim', 'dmarc'] as const)('comes about two hours later while %s fails', (check) => {
    expect(inHours({ [check]: 'fail' })).toBeGreaterThanOrEqual(2);
    expect(inHours({ [check]: 'fail' })).toBeLessThan(2.2);
  });

  it('comes about an hour later while a result is unknown, unless a check fails', () => {
    expect(inHours({ spf: 'unknown' })).toBeLessThan(1.2);
    expect(inHours({ spf: 'unknown', mx: 'fail' })).toBeGreaterThanOrEqual(2);
  });

  it('does not come sooner for a DKIM key with an unknown selector', () => {
    expect(nextHealthCheck({ ...WELL, dkim: 'unknown' }, 'a', NOW)).toEqual(nextDaily('a', NOW));
  });

  it('comes once a day at the same time of day, whenever it is computed', () => {
    fc.assert(
      fc.property(fc.string(), fc.date({ noInvalidDate: true, min: NOW, max: new Date('2900-01-01') }), (key, now) => {
        const next = nextDaily(key, now);
        expect(next.getTime() - now.getTime()).toBeGreaterThanOrEqual(HOUR);
        expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(25 * HOUR);
        expect(nextDaily(key, next).getTime() - next.getTime()).toBe(DAY);
      }),
    );
  });

  it('is spread over the day: no hour has more than a tenth of a thousand domains', () => {
    const hours = Array.from({ length: 1_000 }, (_, n) => Math.floor(inHours({}, `w${n} d${n}.example`)) % 24);
    const counts = Array.from({ length: 24 }, (_, hour) => hours.filter((one) => one === hour).length);
    expect(Math.max(...counts)).toBeLessThan(100);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});
