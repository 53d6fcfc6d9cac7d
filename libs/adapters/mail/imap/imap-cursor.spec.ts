import fc from 'fast-check';
import { decodeCursor, encodeCursor, type FolderCursor } from './imap-cursor';

const uid = fc.integer({ min: 0, max: 0xffff_ffff });
const big = fc.bigInt({ min: 0n, max: 2n ** 63n }).map(String);
const folder: fc.Arbitrary<FolderCursor> = fc.record({
  uidValidity: big,
  uid,
  low: uid,
  modseq: fc.option(big),
  walk: fc.option(fc.record({ modseq: big, uid })),
  start: fc.option(fc.record({ since: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()), uid })),
});

describe('The cursor', () => {
  it('is the same after a write and a read, with any folder names', () => {
    // Numeric keys change their order in JSON, which is irrelevant.
    const path = fc.string({ unit: 'binary' }).map((name) => `f${name.toWellFormed()}`);
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(path, folder), { selector: ([name]) => name }), (entries) => {
        expect(decodeCursor(encodeCursor(new Map(entries)))).toEqual(new Map(entries));
      }),
    );
  });

  it('is small', () => {
    const one = { uidValidity: '1795232144', uid: 1, low: 1, modseq: '3', walk: null, start: null };
    expect(encodeCursor(new Map([['INBOX', one]]))).toBe(
      '{"imap":1,"folders":{"INBOX":{"v":"1795232144","u":1,"l":1,"m":"3"}}}',
    );
  });

  it.each([
    '',
    'x',
    'null',
    '[]',
    '{}',
    '{"imap":2,"folders":{}}',
    '{"imap":1}',
    '{"imap":1,"folders":[]}',
    '{"imap":1,"folders":{"INBOX":null}}',
    '{"imap":1,"folders":{"INBOX":{"v":1,"u":1,"l":1}}}',
    '{"imap":1,"folders":{"INBOX":{"v":"1","u":1.5,"l":1}}}',
    '{"imap":1,"folders":{"INBOX":{"v":"1","u":-1,"l":1}}}',
    '{"imap":1,"folders":{"INBOX":{"v":"1","u":1,"l":1,"m":"1e9"}}}',
    '{"imap":1,"folders":{"INBOX":{"v":"1","u":1,"l":1,"w":["1"]}}}',
    '{"imap":1,"folders":{"INBOX":{"v":"1","u":1,"l":1,"s":["soon",1]}}}',
  ])('of another driver or damaged is invalid: %s', (text) => {
    expect(decodeCursor(text)).toBeNull();
  });

  it('never causes a failure when it is read', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeCursor(text)));
  });
});
