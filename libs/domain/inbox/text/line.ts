/** A line is the author's own, quoted, or part of a signature. */
export type LineKind = 'own' | 'quote' | 'signature';

export interface Line {
  readonly text: string;
  readonly kind: LineKind;
  /** The client's markup marks the start of history, which continues to the end. */
  readonly cut?: boolean;
  /** As `cut`, but only before a header field: people also draw such lines. */
  readonly rule?: boolean;
}

/** Characters of a text or HTML that are read. */
export const MAX_CHARS = 1_000_000;

const QUOTED = /^\s{0,3}>/;

/** Splits a text; lines that begin with `>` are quoted. */
export function parseTextLines(text: string): Line[] {
  return text
    .slice(0, MAX_CHARS)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split('\n')
    .map((line) => ({ text: cleanLine(line), kind: QUOTED.test(line) ? 'quote' : 'own' }));
}

/** Removes invisible characters and trailing blanks; `-- ` keeps its blank. */
export function cleanLine(line: string): string {
  const text = line
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replaceAll('\u0000', '');
  return text === '-- ' ? text : text.trimEnd();
}

export function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === '';
}
