import fc from 'fast-check';
import { INITIAL_CONCURRENCY, MAX_CONCURRENCY, getNextConcurrency } from './delivery-concurrency';

const brisk = { hung: false, tookMs: 20 };
const slow = { hung: false, tookMs: 9_000 };
const hung = { hung: true, tookMs: 10_000 };

describe('the number of concurrent requests to a receiver', () => {
  it.each([
    ['grows by one after a fast response', 4, brisk, 5],
    ['does not exceed the maximum', MAX_CONCURRENCY, brisk, MAX_CONCURRENCY],
    ['stays the same after a slow response', 4, slow, 4],
    ['is halved after a request that hung', 9, hung, 4],
    ['never none', 1, hung, 1],
  ])('%s', (_what, width, ended, next) => {
    expect(getNextConcurrency(width, ended)).toBe(next);
  });

  it('falls to one after three hanging requests and always stays within its bounds', () => {
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
