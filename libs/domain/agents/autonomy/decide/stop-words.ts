import { foldLine } from '@domain/inbox';

/** On one line, no case, no diacritics of any script. */
function folded(text: string): string {
  return foldLine(text)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
}

/**
 * The first stop word that a text holds, as whole words, whatever their case and accents; null for none.
 * `Büro` is in “BURO.” and not in “Bürokratie”.
 */
export function stopWordIn(text: string, stopWords: readonly string[]): string | null {
  const where = folded(text);
  return stopWords.find((word) => isIn(where, folded(word))) ?? null;
}

function isIn(where: string, word: string): boolean {
  if (word === '') return false;
  for (let at = where.indexOf(word); at !== -1; at = where.indexOf(word, at + 1)) {
    const before = where.slice(0, at);
    const after = where.slice(at + word.length);
    if (!endsInWord(before, word) && !goesOn(after, word)) return true;
  }
  return false;
}

const LETTER = String.raw`[\p{L}\p{N}_]`;
const FIRST = new RegExp(`^${LETTER}`, 'u');
const LAST = new RegExp(`${LETTER}$`, 'u');

/** Scripts without blanks have no whole words: what stands beside a sign of theirs ends nothing. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function endsInWord(before: string, word: string): boolean {
  return LAST.test(before) && FIRST.test(word) && !UNSPACED.test(word);
}

function goesOn(after: string, word: string): boolean {
  return FIRST.test(after) && LAST.test(word) && !UNSPACED.test(word);
}
