/** What a line of a mail is: the writer's own, quoted from another mail, or of a signature. */
export type LineKind = 'own' | 'quote' | 'signature';

export interface Line {
  readonly text: string;
  readonly kind: LineKind;
  /** History starts here and goes on to the end, as the markup of the client says. */
  readonly cut?: boolean;
  /** As `cut`, when the next line is a field of a mail header: a line like this may also be somebody's own. */
  readonly rule?: boolean;
}

/** Characters of a text or HTML that are read: nobody writes more, and machines may. */
export const MOST_CHARS = 1_000_000;

const QUOTED = /^\s{0,3}>/;

/** Quoted lines are those that begin with `>`. */
export function linesOfText(text: string): Line[] {
  return text
    .slice(0, MOST_CHARS)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split('\n')
    .map((line) => ({ text: cleaned(line), kind: QUOTED.test(line) ? 'quote' : 'own' }));
}

/** A line without what nobody sees: no-break spaces, zero-width signs, the blanks at its end. `-- ` keeps its own. */
export function cleaned(line: string): string {
  const text = line
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replaceAll('\u0000', '');
  return text === '-- ' ? text : text.trimEnd();
}

export function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === '';
}
