import { foldLine } from '@domain/inbox';

/** Normalizes a text to one line without case and diacritics. */
function foldText(text: string): string {
  return foldLine(text)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
}

/**
 * The first stop word that a text contains as whole words, regardless of case and accents; null without one. `Büro` is
 * in “BURO.” and not in “Bürokratie”.
 */
export function findStopWord(text: string, stopWords: readonly string[]): string | null {
  const where = foldText(text);
  return stopWords.find((word) => contains(where, foldText(word))) ?? null;
}

function contains(where: string, word: string): boolean {
  if (word === '') return false;
  for (let at = where.indexOf(word); at !== -1; at = where.indexOf(word, at + 1)) {
    const before = where.slice(0, at);
    const after = where.slice(at + word.length);
    if (!continuesBefore(before, word) && !continuesAfter(after, word)) return true;
  }
  return false;
}

const CHARACTER = String.raw`[\p{L}\p{N}_]`;
const FIRST = new RegExp(`^${CHARACTER}`, 'u');
const LAST = new RegExp(`${CHARACTER}$`, 'u');

/** Scripts without spaces between words: there, a neighbouring character does not continue a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function continuesBefore(before: string, word: string): boolean {
  return LAST.test(before) && FIRST.test(word) && !UNSPACED.test(word);
}

function continuesAfter(after: string, word: string): boolean {
  return FIRST.test(after) && LAST.test(word) && !UNSPACED.test(word);
}
