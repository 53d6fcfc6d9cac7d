const LATIN_FORMS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' };
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
 * Normalises text for the rules of the inbox: lower case, Latin letters without diacritics (`für` is `fur`), full-width forms
 * narrowed, one form of apostrophe and quotation mark, no invisible characters. Line breaks stay.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßłøæœđı]/g, (character) => LATIN_FORMS[character] ?? character)
    .replace(/[’‘´`“”„]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(INVISIBLE, '');
}

/** Folds text to one line, so that line wrapping does not hide a phrase. */
export function foldLine(text: string): string {
  return fold(text).replace(/\s+/g, ' ').trim();
}
