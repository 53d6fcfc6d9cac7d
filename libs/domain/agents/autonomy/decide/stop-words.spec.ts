import fc from 'fast-check';
import { findStopWord } from './stop-words';

it.each([
  ['whatever its case', 'Our LAWYER will write', 'lawyer'],
  ['whatever its accents', 'das ist im BURO.', 'büro'],
  ['accents on the other side', 'Wir sind im Büro', 'buro'],
  ['of several words, over a line break', 'please send a\n purchase  order', 'purchase order'],
  ['beside punctuation', '(refund)!', 'refund'],
  ['with a sign of its own', 'we use C++ here', 'c++'],
  ['in Greek', 'ΠΡΟΣΦΟΡΆ παρακαλώ', 'προσφορα'],
  ['in a script without blanks', '弁護士に相談します', '弁護士'],
  ['full-width', 'ＲＥＦＵＮＤ please', 'refund'],
  ['after a longer word that begins with it', 'refunds or a refund', 'refund'],
])('finds a stop word %s', (_name, text, word) => {
  expect(findStopWord(text, ['nothing like it', word])).toBe(word);
});

it.each([
  ['part of a word', 'Bürokratie', 'büro'],
  ['the end of a word', 'prefund', 'refund'],
  ['before a digit', 'refund2', 'refund'],
  ['two words that stand apart', 'purchase the order', 'purchase order'],
  ['no word at all', 'anything', '  '],
])('does not find %s', (_name, text, word) => {
  expect(findStopWord(text, [word])).toBeNull();
});

it('finds any word between blanks, in any case', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word), word, fc.array(word), (before, stop, after) => {
      const text = [...before, stop.toUpperCase(), ...after].join(' ');
      expect(findStopWord(text, [stop])).toBe(stop);
    }),
  );
});
