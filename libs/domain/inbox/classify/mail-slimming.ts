const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;

/** Limits of a mail, its header included. */
const MAIL = { bytes: 262_144, lines: 3_500 };

/** Limits between two possible boundaries, and of an attachment. */
const SEGMENT = { bytes: 73_728, lines: 1_500 };
const ATTACHMENT = { bytes: 1_024, lines: 16 };

/** Limits of the header within which all fields are read; beyond them only known ones. */
const HEADER = { lines: 1_000, bytes: 131_072, lineBytes: 16_384 };

/** Lines of a very long header that are searched for known fields. */
const MAX_SEARCHED_LINES = 12_000;
const KNOWN_FIELD =
  /^(?:from|to|cc|sender|reply-to|return-path|subject|date|message-id|in-reply-to|references|mime-version|content-[a-z-]{1,24}|auto-submitted|precedence|x-failed-recipients|x-auto[a-z-]{1,30}|list-[a-z-]{1,20}|x-ms-exchange-[a-z-]{1,40})[ \t]*:/i;

/** Lines with two leading dashes: each may be a boundary, which is expensive to parse. */
const MAX_DASHED_LINES = 500;

const ATTACHED = /^content-type:\s{0,9}(?:image|audio|video|font|model|application)\/(?![^;]{0,40}rfc822)/i;

/**
 * Bounds the cost of parsing a hostile mail: attachments and long texts are cut; excessive lines, fields and parts are removed.
 * The structure of the mail stays.
 */
export function slimMail(raw: Uint8Array): Buffer {
  const mail = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const slim = new MailRanges(mail);
  const body = keepHeader(mail, slim);
  let at = body;
  for (let dashes = 0; at < mail.length && dashes <= MAX_DASHED_LINES && !slim.isFull; dashes++) {
    const end = keepSegment(mail, at, slim);
    const dash = isDashed(mail, end) ? end : mail.indexOf('\n--', Math.max(end - 1, 0)) + 1;
    if (dash === 0) break;
    at = dash;
  }
  return slim.bytes();
}

/** Collects the ranges of a mail that are read; adjacent ranges are merged. */
class MailRanges {
  private readonly ranges: [number, number][] = [];
  private size = 0;
  private lines = 0;

  constructor(private readonly mail: Buffer) {}

  get isFull(): boolean {
    return this.size >= MAIL.bytes || this.lines >= MAIL.lines;
  }

  keep(start: number, end: number): void {
    const last = this.ranges.at(-1);
    if (last?.[1] === start) last[1] = end;
    else this.ranges.push([start, end]);
    this.size += end - start;
    this.lines += 1;
  }

  bytes(): Buffer {
    const [only] = this.ranges;
    if (only && this.ranges.length === 1) return this.mail.subarray(...only);
    return Buffer.concat(this.ranges.map(([start, end]) => this.mail.subarray(start, end)));
  }
}

/** @returns the start of the body */
function keepHeader(mail: Buffer, slim: MailRanges): number {
  let bytes = 0;
  let isCopied = true;
  let at = 0;
  for (let line = 0; at < mail.length && line < MAX_SEARCHED_LINES && !slim.isFull; line++) {
    const end = findLineEnd(mail, at);
    if (isEmpty(mail, at)) {
      slim.keep(at, end);
      return end;
    }
    const isContinued = mail[at] === 0x20 || mail[at] === 0x09;
    const isLong = line >= HEADER.lines || bytes >= HEADER.bytes;
    if (!isContinued) isCopied = !isLong || KNOWN_FIELD.test(mail.toString('latin1', at, Math.min(end, at + 64)));
    if (isCopied && (!isContinued || !isLong)) {
      const amount = Math.min(end - at, HEADER.lineBytes);
      slim.keep(at, at + amount);
      if (amount < end - at) slim.keep(end - 1, end);
      bytes += amount;
    }
    at = end;
  }
  const empty = findHeaderEnd(mail, at);
  if (empty < mail.length) slim.keep(empty - 1, empty);
  return empty;
}

/** Keeps the beginning of a segment up to the next dashed line. @returns its end */
function keepSegment(mail: Buffer, start: number, slim: MailRanges): number {
  let limit = SEGMENT;
  let bytes = 0;
  let at = start;
  for (let line = 0; at < mail.length && line < limit.lines && bytes < limit.bytes && !slim.isFull; line++) {
    if (line > 0 && isDashed(mail, at)) return at;
    const end = findLineEnd(mail, at);
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

/** Returns the index after the first empty line. */
function findHeaderEnd(mail: Buffer, from: number): number {
  const unix = mail.indexOf('\n\n', from);
  const standard = mail.indexOf('\n\r\n', from);
  if (unix === -1 && standard === -1) return mail.length;
  return standard === -1 || (unix !== -1 && unix < standard) ? unix + 2 : standard + 3;
}

/** Returns the index after the line's `\n`. Lines are short: a loop is faster than `indexOf`. */
function findLineEnd(mail: Buffer, start: number): number {
  const near = Math.min(mail.length, start + 256);
  for (let at = start; at < near;) if (mail[at++] === NEWLINE) return at;
  const found = mail.indexOf(NEWLINE, near);
  return found === -1 ? mail.length : found + 1;
}
