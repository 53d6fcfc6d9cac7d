import fc from 'fast-check';
import { INITIAL_CONCURRENCY, MAX_CONCURRENCY, getNextConcurrency } from './delivery-concurrency';

const brisk = { hung: false, tookMs: 20 };
const slow = { hung: false, tookMs: 9_000 };
const hung = { hung: true, tookMs: 10_000 };

describe('how many requests a receiver gets at the same time', () => {
  it.each([
    ['one more after a brisk answer', 4, brisk, 5],
    ['no more than the most', MAX_CONCURRENCY, brisk, MAX_CONCURRENCY],
    ['the same after a slow answer', 4, slow, 4],
    ['half as many after one that hung', 9, hung, 4],
    ['never none', 1, hung, 1],
  ])('%s', (_what, width, ended, next) => {
    expect(getNextConcurrency(width, ended)).toBe(next);
  });

  it('goes down to one within three that hang, and stays within its bounds whatever comes', () => {
    expect([hung, hung, hung].reduce(getNextConcurrency, INITIAL_CONCURRENCY)).toBe(1);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(brisk, slow, hung)), (ended) => {
        const width = ended.reduce(getNextConcurrency, INITIAL_CONCURRENCY);
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(MAX_CONCURRENCY);
      }),
    );
  });
});
