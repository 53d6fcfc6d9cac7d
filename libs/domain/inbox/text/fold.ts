const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' };
const SIGNS: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '´': "'",
  '`': "'",
  '“': '"',
  '”': '"',
  '„': '"',
};
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|\u034f/g;

/**
 * Text as the rules of the inbox compare it: lower case, Latin letters without their marks (`für` is `fur`, `é` is `e`),
 * full-width signs narrow, one form of apostrophe and quotation mark, nothing invisible. Line breaks stay.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßłøæœđı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[’‘´`“”„]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(INVISIBLE, '');
}

/** Folded text on one line, so that a phrase is found wherever its client wrapped it. */
export function foldedLine(text: string): string {
  return fold(text).replace(/\s+/g, ' ').trim();
}
