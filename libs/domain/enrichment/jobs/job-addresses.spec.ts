import fc from 'fast-check';
import { removeDuplicates } from './job-addresses';

describe('the given addresses', () => {
  it.each<[string, string[], string[], number]>([
    ['are kept in their order', ['b@x.example', 'a@x.example'], ['b@x.example', 'a@x.example'], 0],
    ['are taken once, as they were given first', ['Ada@X.example', 'ada@x.example'], ['Ada@X.example'], 1],
    [
      'are the same in Unicode and in A-labels',
      ['a@bücher.example', 'a@xn--bcher-kva.example'],
      ['a@bücher.example'],
      1,
    ],
    ['are the same with blanks around them', ['a@x.example', ' a@x.example'], ['a@x.example'], 1],
    ['are taken without them', [' a@x.example', 'b@x.example', 'A@x.example'], ['A@x.example', 'b@x.example'], 1],
    ['may be none', ['', 'no', '@', 'NO'], ['', 'no', '@'], 1],
  ])('%s', (_what, given, kept, duplicates) => {
    const chosen = removeDuplicates(given);
    expect(chosen.items.map(({ email }) => email)).toEqual(kept);
    expect(chosen).toMatchObject({ campaignId: null, duplicates });
  });

  it('are all kept or counted, and the kept ones are unique', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a@x.example', 'A@x.example', 'b@x.example', 'c', 'C ', '')), (given) => {
        const { items, duplicates } = removeDuplicates(given);
        expect(items.length + duplicates).toBe(given.length);
        expect(new Set(items.map(({ address }) => address)).size).toBe(items.length);
      }),
    );
  });
});
