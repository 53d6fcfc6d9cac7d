import fc from 'fast-check';
import { getBounceEvidence, HIGHEST_BOUND, LEAST_SENDS, getLowerBound } from './bounce-rate';

describe('the lower bound of a rate', () => {
  it.each([
    { bounces: 0, sends: 0, bound: 0 },
    { bounces: 0, sends: 1_000, bound: 0 },
    // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    { bounces: 81, sends: 263, bound: 0.2553 },
    { bounces: 15, sends: 148, bound: 0.0624 },
    { bounces: 1, sends: 29, bound: 0.0061 },
    { bounces: 20, sends: 20, bound: 0.8389 },
  ])('of $bounces in $sends is $bound', ({ bound, ...count }) => {
    expect(getLowerBound(count)).toBeCloseTo(bound, 4);
  });
});

describe('a bounce rate', () => {
  it.each([
    { bounces: 1, sends: 20, stops: false, why: 'one says nothing' },
    { bounces: 2, sends: 20, stops: true, why: 'a tenth' },
    { bounces: 2, sends: 30, stops: false, why: 'may be chance' },
    { bounces: 3, sends: 30, stops: true, why: 'is none' },
    { bounces: 19, sends: 19, stops: false, why: 'too few emails' },
    { bounces: 20, sends: 1_000, stops: false, why: '2 % of many' },
    { bounces: 28, sends: 1_000, stops: false, why: 'just below' },
    { bounces: 29, sends: 1_000, stops: true, why: 'just above' },
    { bounces: 300, sends: 10_000, stops: true, why: '3 % of very many' },
    { bounces: 25, sends: 20, stops: true, why: 'more than were sent count as all' },
  ])('of $bounces in $sends stops: $stops ($why)', ({ stops, ...count }) => {
    expect(getBounceEvidence(count) !== null).toBe(stops);
  });

  it('is kept as evidence', () => {
    expect(getBounceEvidence({ bounces: 3, sends: 30 })).toEqual({
      sends: 30,
      bounces: 3,
      rate: 0.1,
      bound: expect.closeTo(0.0346, 4),
    });
  });

  const counts = fc
    .integer({ min: 1, max: 100_000 })
    .chain((sends) => fc.record({ sends: fc.constant(sends), bounces: fc.integer({ min: 0, max: sends }) }));

  it('is never below its bound, and the bound is never below 0', () => {
    fc.assert(
      fc.property(counts, (count) => {
        const bound = getLowerBound(count);
        expect(bound).toBeGreaterThanOrEqual(0);
        expect(bound).toBeLessThanOrEqual(count.bounces / count.sends);
      }),
    );
  });

  it('stops nothing up to 2 %, and nothing below 20 emails', () => {
    fc.assert(
      fc.property(counts, (count) => {
        if (count.sends < LEAST_SENDS || count.bounces / count.sends <= HIGHEST_BOUND) {
          expect(getBounceEvidence(count)).toBeNull();
        }
      }),
    );
  });

  it('grows with each bounce, and falls with each email that arrives', () => {
    fc.assert(
      fc.property(counts, ({ sends, bounces }) => {
        const bound = getLowerBound({ sends, bounces });
        expect(getLowerBound({ sends: sends + 1, bounces: bounces + 1 })).toBeGreaterThanOrEqual(bound - 1e-12);
        expect(getLowerBound({ sends: sends + 1, bounces })).toBeLessThanOrEqual(bound + 1e-12);
      }),
    );
  });
});
