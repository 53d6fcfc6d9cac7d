import { CrmError } from '@adapters/crm';
import { getCooldownMs } from './crm-cooldown';

const now = new Date('2026-11-22T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const asked = (retryAfterMs: number) => new CrmError('rate_limited', 'Too many requests', { retryAfterMs });
const down = new CrmError('unreachable', 'Nobody answers');

describe('the cooldown of a work partition', () => {
  it.each([
    ['5 s after a first failure', down, 1, null, 0, 5_000],
    ['twice as long after each further one', down, 4, null, 0, 40_000],
    ['half an hour at most', down, 100, null, 0, 1_800_000],
    ['as long as the vendor asks', asked(7_000), 3, null, 0, 7_000],
    ['until its limits are there again', down, 1, later(90_000), 0, 90_000],
    ['the longer of both', asked(7_000), 1, later(90_000), 0, 90_000],
    ['a day at most', asked(10 * 86_400_000), 1, null, 0, 86_400_000],
    ['not for a time that is over', down, 1, later(-90_000), 0, 5_000],
    ['a little longer by chance', asked(10_000), 1, null, 0.5, 11_000],
    ['also for what is our own fault', new Error('the database is away'), 2, null, 0, 10_000],
  ])('%s', (_what, error, failures, cooldownUntil, chance, expected) => {
    expect(getCooldownMs(error, { failures, cooldownUntil, now, chance })).toBe(expected);
  });
});
