const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;
const EQUALS = 0x3d;

/** Budget for line breaks that are kept: more than a regular mail needs. */
const MAX_COST = 2_000;
/** Cost of a line: in quoted-printable the library creates no buffers. */
const QUOTED_COST = 1;
const LINE_COST = 2;

/** Bytes of a header line that are searched. */
const FIELD_BYTES = 200;

/** Properties of the current part, known from its headers. */
interface PartFormat {
  /** `=` at the end of a line (RFC 2045, 6.7). */
  isQuoted: boolean;
  /** The library derives HTML from the plain text of such a mail. */
  readonly hasHtml: boolean;
}

/**
 * Ends most lines of a mail's bodies with a carriage return alone. The MIME library allocates two buffers per line, which for
 * thousands of lines costs more than the rest of the parsing. `toUnixLines` restores the breaks. Breaks with a meaning for a
 * parser stay: in headers, around lines with two leading dashes, and soft breaks.
 */
export function joinLines(mail: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(mail.length);
  const format: PartFormat = { isQuoted: false, hasHtml: /text\/html/i.test(mail.toString('latin1')) };
  let length = 0;
  let isHeader = true;
  let budget = MAX_COST;
  for (let at = 0; at < mail.length;) {
    const newline = mail.indexOf(NEWLINE, at);
    if (newline === -1) {
      length += mail.copy(joined, length, at);
      break;
    }
    let end = newline;
    while (end > at && mail[end - 1] === RETURN) end -= 1;
    const next = newline + 1;
    // The header of a part may follow a line with two leading dashes.
    isHeader ||= isDashed(mail, at);
    const cost = isHeader ? 0 : getBreakCost(mail, end, format);
    budget -= cost;
    const isSeparate = isHeader || isDashed(mail, next) || (cost > 0 && budget > 0);
    if (isHeader) readFormat(format, mail.toString('latin1', at, Math.min(end, at + FIELD_BYTES)));
    if (end === at) isHeader = false;
    length += mail.copy(joined, length, at, end);
    // CR and LF together would be one line end.
    if (isSeparate && end === at) keepBefore(joined, length);
    joined[length++] = isSeparate ? NEWLINE : RETURN;
    at = next;
  }
  if (mail.at(-1) === NEWLINE) keepAtEnd(joined, length);
  return joined.subarray(0, length);
}

function readFormat(format: PartFormat, line: string): void {
  format.isQuoted ||= /quoted-printable/i.test(line);
}

/** Returns the cost of keeping a break; 0 for one without meaning. */
function getBreakCost(mail: Buffer, end: number, { isQuoted, hasHtml }: PartFormat): number {
  if (isQuoted && (hasHtml || mail[end - 1] === EQUALS)) return QUOTED_COST;
  return hasHtml ? LINE_COST : 0;
}

/** Keeps the empty lines before a kept break. */
function keepBefore(joined: Buffer, length: number): void {
  for (let at = length - 1; at >= 0 && joined[at] === RETURN; at--) joined[at] = NEWLINE;
}

/** Keeps empty lines at the end, within the budget: the library would read them as part of the last line. */
function keepAtEnd(joined: Buffer, length: number): void {
  let from = length;
  while (from > 0 && joined[from - 1] === RETURN) from -= 1;
  const ends = length - from;
  if (ends > 1 && ends * LINE_COST <= MAX_COST) joined.fill(NEWLINE, from, length);
}

function isDashed(mail: Buffer, at: number): boolean {
  return mail[at] === DASH && mail[at + 1] === DASH;
}
