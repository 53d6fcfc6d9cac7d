/** Maximum characters of a shown name. */
export const NAME_LENGTH = 60;

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Removes control characters, direction overrides and lone surrogates, and joins runs of blanks. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Scripts with glyphs in the chart font; blanks, digits and signs are common to all. */
const DRAWN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Armenian}\p{Nd} !-~\u00a1-\u00ff\u2010-\u2026]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** User text on one line with a maximum of graphemes; an ellipsis replaces the rest. */
export function toPlainLine(text: string, length: number): string {
  // Bounds the work for very long text.
  const line = text
    .slice(0, length * 32)
    .toWellFormed()
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const characters: string[] = [];
  for (const { segment } of graphemes.segment(line)) {
    characters.push(segment.length > 16 ? '\ufffd' : segment);
    if (characters.length > length)
      return `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
  }
  return characters.join('');
}

/** A name given by a user. */
export function toShortName(name: string): string {
  return toPlainLine(name, NAME_LENGTH) || 'Without a name';
}

/** The part of a name with glyphs in the chart font; '' for other scripts. */
export function toDrawableName(name: string, length: number): string {
  const drawn = Array.from(toPlainLine(name, NAME_LENGTH))
    .filter((character) => DRAWN.test(character))
    .join('');
  return toPlainLine(drawn.replaceAll(/\p{M}+/gu, ''), length);
}

/** Escapes text and attributes for HTML and MJML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => CHARACTERS[character] ?? '');
}
