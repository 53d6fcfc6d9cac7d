import fc from 'fast-check';
import { CHECK_STATUSES, type CheckStatus } from '../check';
import { HEALTH_WEIGHTS, getHealthScore, type ScoredCheck } from './health-score';

const CHECKS = Object.keys(HEALTH_WEIGHTS) as ScoredCheck[];
const all = (status: CheckStatus) => ({ mx: status, spf: status, dkim: status, dmarc: status });

const statuses = fc.record({
  mx: fc.constantFrom(...CHECK_STATUSES),
  spf: fc.constantFrom(...CHECK_STATUSES),
  dkim: fc.constantFrom(...CHECK_STATUSES),
  dmarc: fc.constantFrom(...CHECK_STATUSES),
});

describe('the health score', () => {
  it('has weights with the sum 100', () => {
    expect(Object.values<number>(HEALTH_WEIGHTS).reduce((sum, weight) => sum + weight)).toBe(100);
  });

  it.each([
    ['all pass', all('pass'), 100],
    ['all fail', all('fail'), 0],
    ['all warn', all('warn'), 60],
    ['nothing known', all('unknown'), null],
    ['no SPF', { ...all('pass'), spf: 'fail' as const }, 70],
    ['no DKIM', { ...all('pass'), dkim: 'fail' as const }, 70],
    ['no DMARC', { ...all('pass'), dmarc: 'fail' as const }, 75],
    ['no MX', { ...all('pass'), mx: 'fail' as const }, 85],
    ['a policy of none', { ...all('pass'), dmarc: 'warn' as const }, 90],
    ['DKIM not known, the rest good', { ...all('pass'), dkim: 'unknown' as const }, 100],
    ['DKIM not known, no SPF', { ...all('pass'), dkim: 'unknown' as const, spf: 'fail' as const }, 57],
    ['SPF alone known and bad', { ...all('unknown'), spf: 'fail' as const }, 0],
  ])('of %s', (_name, given, score) => {
    expect(getHealthScore(given)).toBe(score);
  });

  it('is an integer from 0 to 100, and null only when all results are unknown', () => {
    fc.assert(
      fc.property(statuses, (given) => {
        const score = getHealthScore(given);
        const known = CHECKS.some((check) => given[check] !== 'unknown');
        expect(score !== null).toBe(known);
        if (score !== null) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      }),
    );
  });

  it('never falls when a check improves', () => {
    const better: Partial<Record<CheckStatus, CheckStatus>> = { fail: 'warn', warn: 'pass' };
    fc.assert(
      fc.property(statuses, fc.constantFrom(...CHECKS), (given, check) => {
        const status = better[given[check]];
        if (status === undefined) return;
        const before = getHealthScore(given) ?? 0;
        expect(getHealthScore({ ...given, [check]: status })).toBeGreaterThan(before);
      }),
    );
  });

  it('is 100 only when all known checks pass', () => {
    fc.assert(
      fc.property(statuses, (given) => {
        const flawless = CHECKS.every((check) => given[check] === 'pass' || given[check] === 'unknown');
        expect(getHealthScore(given) === 100).toBe(flawless && CHECKS.some((check) => given[check] === 'pass'));
      }),
    );
  });
});
