const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;
const EQUALS = 0x3d;

/** What the breaks may cost that are kept for their meaning: more than they do in any honest mail, as far as it is read. */
const MOST_MEANING = 2_000;
/** In quoted-printable the library makes no buffers of a line. */
const QUOTED_COSTS = 1;
const COSTS = 2;

/** Bytes of a header line in which the words are looked for that matter. */
const FIELD_BYTES = 200;

/** How some part of the mail is written, as far as its headers have said until now. */
interface Manner {
  /** `=` at the end of a line (RFC 2045, 6.7). */
  isQuoted: boolean;
  /** The library makes HTML of the plain text beside it. */
  readonly hasHtml: boolean;
}

/**
 * Ends most lines of a mail's bodies with a carriage return alone. The library makes two buffers of every line that it sees,
 * and the garbage of some thousand lines costs more than all the rest of a mail; whoever reads a body takes the one for the
 * other (`unix`). Lines that may mean something to a parser stay: headers, what begins with two dashes, soft breaks.
 */
export function joinLines(mail: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(mail.length);
  const manner: Manner = { isQuoted: false, hasHtml: /text\/html/i.test(mail.toString('latin1')) };
  let length = 0;
  let isHeader = true;
  let left = MOST_MEANING;
  for (let at = 0; at < mail.length;) {
    const newline = mail.indexOf(NEWLINE, at);
    if (newline === -1) {
      length += mail.copy(joined, length, at);
      break;
    }
    let end = newline;
    while (end > at && mail[end - 1] === RETURN) end -= 1;
    const next = newline + 1;
    // What stands below two dashes may be the header of a part.
    isHeader ||= isDashed(mail, at);
    const costs = isHeader ? 0 : meaning(mail, end, manner);
    left -= costs;
    const keeps = isHeader || isDashed(mail, next) || (costs > 0 && left > 0);
    if (isHeader) learn(manner, mail.toString('latin1', at, Math.min(end, at + FIELD_BYTES)));
    if (end === at) isHeader = false;
    length += mail.copy(joined, length, at, end);
    // Both together would be one end of a line.
    if (keeps && end === at) keepBefore(joined, length);
    joined[length++] = keeps ? NEWLINE : RETURN;
    at = next;
  }
  if (mail.at(-1) === NEWLINE) keepAtEnd(joined, length);
  return joined.subarray(0, length);
}

function learn(manner: Manner, line: string): void {
  manner.isQuoted ||= /quoted-printable/i.test(line);
}

/** What it costs to keep a break that may mean something; 0 for one that means nothing. */
function meaning(mail: Buffer, end: number, { isQuoted, hasHtml }: Manner): number {
  if (isQuoted && (hasHtml || mail[end - 1] === EQUALS)) return QUOTED_COSTS;
  return hasHtml ? COSTS : 0;
}

/** Empty lines before an end that is kept. */
function keepBefore(joined: Buffer, length: number): void {
  for (let at = length - 1; at >= 0 && joined[at] === RETURN; at--) joined[at] = NEWLINE;
}

/** Empty lines at the end, which the library takes for the rest of the line before; not more than any letter has. */
function keepAtEnd(joined: Buffer, length: number): void {
  let from = length;
  while (from > 0 && joined[from - 1] === RETURN) from -= 1;
  const ends = length - from;
  if (ends > 1 && ends * COSTS <= MOST_MEANING) joined.fill(NEWLINE, from, length);
}

function isDashed(mail: Buffer, at: number): boolean {
  return mail[at] === DASH && mail[at + 1] === DASH;
}
