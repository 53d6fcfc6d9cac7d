import fc from 'fast-check';
import { compareByAge, parseGmailCursor, formatGmailCursor } from './gmail-cursor';

describe('a cursor', () => {
  it('is unchanged after a write and a read', () => {
    const listing = fc.record({
      since: fc.integer({ min: 0 }),
      after: fc.option(fc.stringMatching(/^[0-9a-f]{1,16}$/)),
      isRestart: fc.boolean(),
    });
    const id = fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String);
    fc.assert(
      fc.property(id, fc.nat(1_000), fc.option(listing), (historyId, done, listing) => {
        const cursor = { historyId, done: listing ? 0 : done, listing };
        expect(parseGmailCursor(formatGmailCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it.each([
    '',
    'null',
    '7',
    '[]',
    '{}',
    '{"v":2,"h":"1"}',
    '{"v":1,"h":"x"}',
    '{"v":1,"h":"1","d":-1}',
    '{"v":1,"h":"1","l":{}}',
    '{"v":1,"h":"1","l":{"s":1,"a":2}}',
  ])('of an unknown form is invalid: %s', (text) => {
    expect(parseGmailCursor(text)).toBeNull();
  });
});

describe('the order of ids', () => {
  it('is the order of their numbers', () => {
    expect(['10', 'ff', '9', 'a0', 'f'].toSorted(compareByAge)).toEqual(['9', 'f', '10', 'a0', 'ff']);
    expect(compareByAge('a', 'a')).toBe(0);
  });
});
