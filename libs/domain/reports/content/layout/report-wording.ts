/** Characters of a name that a report shows. */
export const NAME_LENGTH = 60;

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Neither control characters, nor what turns the direction of text around, nor halves of characters; runs of blanks are one. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Scripts that the font of the charts can draw; blanks, digits and signs are common to all. */
const DRAWN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Armenian}\p{Nd} !-~\u00a1-\u00ff\u2010-\u2026]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text of others on one line, at most so many characters as people count them; what is cut off is an ellipsis. */
export function plainLine(text: string, length: number): string {
  // Of a very long text no more is looked at than could be shown, whatever its characters are made of.
  const line = text
    .slice(0, length * 32)
    .toWellFormed()
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const seen: string[] = [];
  for (const { segment } of graphemes.segment(line)) {
    seen.push(segment.length > 16 ? '\ufffd' : segment);
    if (seen.length > length)
      return `${seen
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
  }
  return seen.join('');
}

/** A name that a person gave to something. */
export function shortName(name: string): string {
  return plainLine(name, NAME_LENGTH) || 'Without a name';
}

/** What of a name the font of the charts can draw; '' for one in another script. */
export function drawable(name: string, length: number): string {
  const drawn = Array.from(plainLine(name, NAME_LENGTH))
    .filter((character) => DRAWN.test(character))
    .join('');
  return plainLine(drawn.replaceAll(/\p{M}+/gu, ''), length);
}

/** For text and for attributes, of HTML and of MJML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => CHARACTERS[character] ?? '');
}
