import { decodeBytes } from './charset-guess';
import { parseFields } from './header-block';

/** A leaf part of a mail with its decoded bytes. */
export interface PlainPart {
  readonly contentType: string;
  readonly charset: string | null;
  readonly fileName: string | null;
  readonly isAttached: boolean;
  readonly bytes: Uint8Array;
}

export interface PlainMail {
  /** Header lines, still folded. */
  readonly header: string;
  readonly parts: readonly PlainPart[];
}

const MAX_DEPTH = 8;
const MAX_PARTS = 100;

/**
 * Reads a mail with broken MIME or wrong charsets and treats unknown content as text. Unlike a strict parser it never fails.
 */
export function readPlainly(mail: Buffer): PlainMail {
  const parts: PlainPart[] = [];
  const { header, body } = splitHeader(mail);
  collect(header, body, parts, 0);
  return { header: decodeBytes(header, null), parts };
}

function collect(header: Buffer, body: Buffer, parts: PlainPart[], depth: number): void {
  if (parts.length >= MAX_PARTS) return;
  const fields = new Map<string, string>();
  for (const [name, value] of parseFields(header.toString('latin1', 0, 65_536))) {
    const key = name.toLowerCase();
    if (key.startsWith('content-') && !fields.has(key)) fields.set(key, value);
  }
  const type = fields.get('content-type') ?? 'text/plain';
  const contentType = (/^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? 'text/plain').toLowerCase();
  const pieces = contentType.startsWith('multipart/') && depth < MAX_DEPTH ? splitParts(body, type) : [];
  if (pieces.length > 0) {
    for (const piece of pieces) {
      const inner = splitHeader(piece);
      collect(inner.header, inner.body, parts, depth + 1);
    }
    return;
  }
  const disposition = fields.get('content-disposition') ?? '';
  parts.push({
    contentType: contentType.startsWith('multipart/') ? 'text/plain' : contentType,
    charset: parseParameter(type, 'charset'),
    fileName: parseParameter(disposition, 'filename') ?? parseParameter(type, 'name'),
    isAttached: /^\s*attachment/i.test(disposition),
    bytes: decodeTransfer(body, fields.get('content-transfer-encoding') ?? ''),
  });
}

/** Splits header and body. Without an empty line all is header; without a field at its beginning all is body. */
function splitHeader(mail: Buffer): { header: Buffer; body: Buffer } {
  const first = mail.subarray(0, 200).toString('latin1');
  if (/^\r?\n/.test(first)) {
    const behind = first.startsWith('\n') ? 1 : 2;
    return { header: mail.subarray(0, 0), body: mail.subarray(behind) };
  }
  if (!/^(?:From |>?[!-9;-~]{1,80}[ \t]*:)/.test(first)) return { header: mail.subarray(0, 0), body: mail };
  const unix = mail.indexOf('\n\n');
  const standard = mail.indexOf('\n\r\n');
  if (unix === -1 && standard === -1) return { header: mail, body: mail.subarray(mail.length) };
  const isUnix = standard === -1 || (unix !== -1 && unix < standard);
  const end = isUnix ? unix : standard;
  return { header: mail.subarray(0, end + 1), body: mail.subarray(end + (isUnix ? 2 : 3)) };
}

/** Splits at the announced boundary, or else at the first line that looks like one. */
function splitParts(body: Buffer, type: string): Buffer[] {
  const declared = parseParameter(type, 'boundary');
  const marker = declared !== null && body.includes(`--${declared}`) ? `--${declared}` : guessBoundary(body);
  if (marker === null) return [];
  const pieces: Buffer[] = [];
  let from = -1;
  for (let at = body.indexOf(marker); at !== -1; at = body.indexOf(marker, at + marker.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    if (from !== -1) pieces.push(body.subarray(from, at));
    const end = body.indexOf(0x0a, at);
    from = end === -1 ? body.length : end + 1;
    if (pieces.length >= MAX_PARTS || body.toString('latin1', at + marker.length, at + marker.length + 2) === '--')
      return pieces;
  }
  // The closing boundary is missing: the mail was cut.
  if (from !== -1 && from < body.length) pieces.push(body.subarray(from));
  return pieces;
}

function guessBoundary(body: Buffer): string | null {
  return (
    /(?:^|\n)(--[\w'()+,./:=?-]{6,70})[ \t]*\r?\n(?:content-|\r?\n)/i.exec(body.toString('latin1', 0, 65_536))?.[1] ??
    null
  );
}

function parseParameter(value: string, name: string): string | null {
  const found = new RegExp(`[;\\s]${name}\\s{0,9}=\\s{0,9}(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, 'i').exec(value);
  return found?.[1] ?? found?.[2] ?? null;
}

function decodeTransfer(body: Buffer, encoding: string): Uint8Array {
  if (/base64/i.test(encoding)) return Buffer.from(body.toString('latin1'), 'base64');
  if (!/quoted-printable/i.test(encoding)) return body;
  const text = body.toString('latin1').replaceAll(/=[ \t]{0,4}\r?\n/g, '');
  return Buffer.from(
    text.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
