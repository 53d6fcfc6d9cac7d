import { type Scanner } from './scanner';

const WHITE = /[ \t]+/y;
/** RFC 5322 `ctext`, and RFC 6532. */
const COMMENT_TEXT = /(?:[\x21-\x27*-[\]-~]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/uy;
/** RFC 5322, section 4.1 `obs-NO-WS-CTL`: controls that parsers must accept and generators must not produce. */
const OLD_CONTROLS = /(?:(?![\0\t\n\r\u{80}-\u{9f}])\p{Cc})+/uy;
const PAIRED = /[\t\x20-\x7e]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/uy;
/** RFC 5322, section 4.1 `obs-qp`. */
const PAIRED_CONTROL = /(?![\u{80}-\u{9f}])\p{Cc}/uy;

/**
 * Reads comments and folding white space (RFC 5322, section 3.2.2), which are allowed around an address in a header,
 * but not in SMTP.
 * @returns whether there was any; null when it is malformed
 */
export function readSpacing(scanner: Scanner): boolean | null {
  const start = scanner.at;
  for (;;) {
    if (scanner.next === '(') {
      if (readComment(scanner) === null) return null;
    } else if (isWhite(scanner.next)) {
      if (readFolding(scanner) === null) return null;
    } else {
      return scanner.at > start;
    }
  }
}

/** White space, and line ends followed by white space. More than one such line end is obsolete (section 4.2). */
export function readFolding(scanner: Scanner): true | null {
  scanner.note('white_space');
  scanner.take(WHITE);
  let folds = 0;
  while (scanner.next === '\r') {
    if (!scanner.skip('\r\n') || scanner.take(WHITE) === '') return scanner.fail('line_break');
    folds += 1;
  }
  if (folds > 1) scanner.note('obsolete_spacing');
  return true;
}

/** @returns obsolete control characters, which only a header may contain; '' without any */
export function readOldControls(scanner: Scanner): string {
  const controls = scanner.take(OLD_CONTROLS);
  if (controls !== '') scanner.note('obsolete_text');
  return controls;
}

/** Reads the character after a backslash. @returns null for a character that may not be quoted */
export function readQuotedPair(scanner: Scanner): string | null {
  scanner.skip('\\');
  if (scanner.next === '') return scanner.fail('backslash_at_end');
  const plain = scanner.take(PAIRED);
  if (plain !== '') return plain;
  const control = scanner.take(PAIRED_CONTROL);
  if (control === '') return scanner.failAtCharacter('hidden_character');
  scanner.note('obsolete_text');
  return control;
}

export function isWhite(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r';
}

/** Counts the nesting of comments: recursion would have a depth limit. */
function readComment(scanner: Scanner): true | null {
  scanner.note('comment');
  let depth = 0;
  do {
    if (scanner.skip('(')) depth += 1;
    else if (scanner.skip(')')) depth -= 1;
    else if (readInComment(scanner) === null) return null;
  } while (depth > 0);
  return true;
}

function readInComment(scanner: Scanner): true | null {
  if (scanner.next === '') return scanner.fail('unclosed_comment');
  if (scanner.next === '\\') return readQuotedPair(scanner) === null ? null : true;
  if (isWhite(scanner.next)) return readFolding(scanner);
  if (scanner.take(COMMENT_TEXT) !== '' || readOldControls(scanner) !== '') return true;
  return scanner.failAtCharacter('hidden_character');
}
