import fc from 'fast-check';
import { toDrawableName, escapeHtml, NAME_LENGTH, toPlainLine, toShortName } from './report-wording';

const RIGHT_TO_LEFT = '\u202e';

describe('user text in a report', () => {
  it.each([
    ['is on one line', 'a\r\n\tb\u2028c', 'a b c'],
    ['has no null characters', 'a\0b', 'a b'],
    ['does not change the direction of the text beside it', `x${RIGHT_TO_LEFT}fdp\u2066y`, 'x fdp y'],
    ['has no lone surrogates', 'a\ud83d', 'a\ufffd'],
    ['keeps other scripts', 'الخريف 秋', 'الخريف 秋'],
    ['is cut at its maximum length', 'abcdefghijkl', 'abcdefghi…'],
    ['is not cut within a grapheme', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…'],
    ['has no excessive combining marks', `z${'\u0301'.repeat(500)}`, '\ufffd'],
  ])('%s', (_what, text, expected) => {
    expect(toPlainLine(text, 10)).toBe(expected);
  }); // prettier-ignore

  it('never exceeds its maximum length, and never contains characters that change the text direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const line = toPlainLine(text, 40);
        expect([...new Intl.Segmenter('en').segment(line)].length).toBeLessThanOrEqual(40);
        expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });

  it('has a substitute if it has no visible character', () => {
    expect(toShortName(' \0 ')).toBe('Without a name');
    expect(toShortName('x'.repeat(200))).toHaveLength(NAME_LENGTH);
  });

  it.each([
    ['Autumn 🍁 list', 'Autumn list'],
    ['秋のキャンペーン', ''],
    ['Осень', 'Осень'],
    ['<b>&', '<b>&'],
  ])('is drawn as far as the font has glyphs: %s', (name, expected) => {
    expect(toDrawableName(name, 30)).toBe(expected);
  });

  it('cannot close the tag or the text around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });
});
