import fc from 'fast-check';
import { FIRST_WIDTH, MOST_WIDTH, widthAfter } from './delivery-pace';

const brisk = { hung: false, tookMs: 20 };
const slow = { hung: false, tookMs: 9_000 };
const hung = { hung: true, tookMs: 10_000 };

describe('how many requests a receiver gets at the same time', () => {
  it.each([
    ['one more after a brisk answer', 4, brisk, 5],
    ['no more than the most', MOST_WIDTH, brisk, MOST_WIDTH],
    ['the same after a slow answer', 4, slow, 4],
    ['half as many after one that hung', 9, hung, 4],
    ['never none', 1, hung, 1],
  ])('%s', (_what, width, ended, next) => {
    expect(widthAfter(width, ended)).toBe(next);
  });

  it('goes down to one within three that hang, and stays within its bounds whatever comes', () => {
    expect([hung, hung, hung].reduce(widthAfter, FIRST_WIDTH)).toBe(1);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(brisk, slow, hung)), (ended) => {
        const width = ended.reduce(widthAfter, FIRST_WIDTH);
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(MOST_WIDTH);
      }),
    );
  });
});
