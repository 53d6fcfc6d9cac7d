const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;

/** Most that is read of a mail. Its own header counts too. */
const MAIL = { bytes: 262_144, lines: 3_500 };

/** Most that is read between two lines that may part a mail, and of an attachment. */
const SEGMENT = { bytes: 73_728, lines: 1_500 };
const ATTACHMENT = { bytes: 1_024, lines: 16 };

/** Fields of the mail's own header that are read whatever they are, and bytes of one line of it. */
const HEADER = { lines: 1_000, bytes: 131_072, lineBytes: 16_384 };

/** Lines of a very long header among which the fields are looked for that matter. */
const SOUGHT_LINES = 12_000;
const SOUGHT =
  /^(?:from|to|cc|sender|reply-to|return-path|subject|date|message-id|in-reply-to|references|mime-version|content-[a-z-]{1,24}|auto-submitted|precedence|x-failed-recipients|x-auto[a-z-]{1,30}|list-[a-z-]{1,20}|x-ms-exchange-[a-z-]{1,40})[ \t]*:/i;

/** Lines that begin with two dashes: each may be a boundary, and costs a parser more than others. */
const MOST_DASHES = 500;

const ATTACHED = /^content-type:\s{0,9}(?:image|audio|video|font|model|application)\/(?![^;]{0,40}rfc822)/i;

/**
 * Takes from a mail what could make reading it slow, whatever it is: attachments and long texts are cut, lines, fields and
 * parts beyond any honest number are left out. What stays has the structure that the mail had.
 */
export function slimmed(raw: Uint8Array): Buffer {
  const mail = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const slim = new Slim(mail);
  const body = keepHeader(mail, slim);
  let at = body;
  for (let dashes = 0; at < mail.length && dashes <= MOST_DASHES && !slim.isFull; dashes++) {
    const end = keepSegment(mail, at, slim);
    const dash = isDashed(mail, end) ? end : mail.indexOf('\n--', Math.max(end - 1, 0)) + 1;
    if (dash === 0) break;
    at = dash;
  }
  return slim.bytes();
}

/** What was kept so far. Ranges that touch each other become one. */
class Slim {
  private readonly ranges: [number, number][] = [];
  private kept = 0;
  private lines = 0;

  constructor(private readonly mail: Buffer) {}

  get isFull(): boolean {
    return this.kept >= MAIL.bytes || this.lines >= MAIL.lines;
  }

  keep(start: number, end: number): void {
    const last = this.ranges.at(-1);
    if (last?.[1] === start) last[1] = end;
    else this.ranges.push([start, end]);
    this.kept += end - start;
    this.lines += 1;
  }

  bytes(): Buffer {
    const [only] = this.ranges;
    if (only && this.ranges.length === 1) return this.mail.subarray(...only);
    return Buffer.concat(this.ranges.map(([start, end]) => this.mail.subarray(start, end)));
  }
}

/** @returns where the body begins */
function keepHeader(mail: Buffer, slim: Slim): number {
  let bytes = 0;
  let keeps = true;
  let at = 0;
  for (let line = 0; at < mail.length && line < SOUGHT_LINES && !slim.isFull; line++) {
    const end = endOfLine(mail, at);
    if (isEmpty(mail, at)) {
      slim.keep(at, end);
      return end;
    }
    const isContinued = mail[at] === 0x20 || mail[at] === 0x09;
    const isLong = line >= HEADER.lines || bytes >= HEADER.bytes;
    if (!isContinued) keeps = !isLong || SOUGHT.test(mail.toString('latin1', at, Math.min(end, at + 64)));
    if (keeps && (!isContinued || !isLong)) {
      const amount = Math.min(end - at, HEADER.lineBytes);
      slim.keep(at, at + amount);
      if (amount < end - at) slim.keep(end - 1, end);
      bytes += amount;
    }
    at = end;
  }
  const empty = endOfHeader(mail, at);
  if (empty < mail.length) slim.keep(empty - 1, empty);
  return empty;
}

/** Keeps the beginning of what stands up to the next line of dashes. @returns where it stopped */
function keepSegment(mail: Buffer, start: number, slim: Slim): number {
  let limit = SEGMENT;
  let bytes = 0;
  let at = start;
  for (let line = 0; at < mail.length && line < limit.lines && bytes < limit.bytes && !slim.isFull; line++) {
    if (line > 0 && isDashed(mail, at)) return at;
    const end = endOfLine(mail, at);
    if (line < 12 && (mail[at] === 0x43 || mail[at] === 0x63)) {
      if (ATTACHED.test(mail.toString('latin1', at, Math.min(end, at + 80)))) limit = ATTACHMENT;
    }
    const amount = Math.min(end - at, limit.bytes - bytes);
    slim.keep(at, at + amount);
    bytes += amount;
    if (amount < end - at) slim.keep(end - 1, end);
    at = end;
  }
  return at;
}

function isDashed(mail: Buffer, at: number): boolean {
  return mail[at] === DASH && mail[at + 1] === DASH;
}

function isEmpty(mail: Buffer, at: number): boolean {
  return mail[at] === NEWLINE || (mail[at] === RETURN && mail[at + 1] === NEWLINE);
}

/** Index behind the first empty line. */
function endOfHeader(mail: Buffer, from: number): number {
  const unix = mail.indexOf('\n\n', from);
  const standard = mail.indexOf('\n\r\n', from);
  if (unix === -1 && standard === -1) return mail.length;
  return standard === -1 || (unix !== -1 && unix < standard) ? unix + 2 : standard + 3;
}

/** Index behind the line's `\n`. Lines are short: a loop beats a call for each. */
function endOfLine(mail: Buffer, start: number): number {
  const near = Math.min(mail.length, start + 256);
  for (let at = start; at < near;) if (mail[at++] === NEWLINE) return at;
  const found = mail.indexOf(NEWLINE, near);
  return found === -1 ? mail.length : found + 1;
}
