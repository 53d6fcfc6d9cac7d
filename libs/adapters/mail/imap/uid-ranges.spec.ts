import fc from 'fast-check';
import { getRanges, toSequenceSet, listUidsWithin } from './uid-ranges';

describe('UID ranges', () => {
  it.each([
    [
      '1:3,7',
      [
        { low: 1, high: 3 },
        { low: 7, high: 7 },
      ],
    ],
    ['12:10', [{ low: 10, high: 12 }]],
    ['4294967295', [{ low: 4294967295, high: 4294967295 }]],
    ['', []],
    ['*,a:b,1:2:3,99999999999,-1, 5 ', [{ low: 5, high: 5 }]],
  ])('reads %j', (text, ranges) => {
    expect(getRanges(text)).toEqual(ranges);
  });

  it('returns the UIDs that were written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 500 })), (uids) => {
        const sorted = uids.toSorted((a, b) => a - b);
        expect(listUidsWithin(getRanges(toSequenceSet(sorted)), 1, 500, 1_000)).toEqual(sorted);
      }),
    );
  });

  it('returns UIDs between bounds, ascending, once each and up to the limit', () => {
    const range = fc.record({ low: fc.integer({ min: 1, max: 60 }), high: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(range), fc.nat(60), fc.nat(60), fc.nat(70), (ranges, low, high, most) => {
        const all = Array.from({ length: 61 }, (_, uid) => uid);
        const expected = all.filter(
          (uid) => uid >= low && uid <= high && ranges.some((r) => uid >= r.low && uid <= r.high),
        );
        expect(listUidsWithin(ranges, low, high, most)).toEqual(expected.slice(0, most));
      }),
    );
  });

  it('expands only the requested part', () => {
    expect(listUidsWithin([{ low: 1, high: 4_294_967_295 }], 5, 4_294_967_295, 3)).toEqual([5, 6, 7]);
  });
});
