import { decodeWords } from 'postal-mime';
import { type GmailHeader, type GmailPart } from '../gmail-resources';

/** One part of a stored message. */
export interface MimePart {
  readonly partId: string;
  readonly mimeType: string;
  readonly filename: string;
  readonly headers: readonly GmailHeader[];
  /** Decoded; empty for a multipart. */
  readonly body: Buffer;
  readonly parts: readonly MimePart[];
}

/** A small MIME parser for the messages of tests; it also reads broken ones as far as possible. */
export function mimeTree(raw: Buffer, partId = ''): MimePart {
  const { headers, body } = split(raw);
  const of = (name: string): string => getHeader(headers, name);
  const type = of('content-type');
  const mimeType = (/^\s*([\w.+-]+\/[\w.+-]+)/.exec(type)?.[1] ?? 'text/plain').toLowerCase();
  const filename = parameter(of('content-disposition'), 'filename') || parameter(type, 'name');
  const boundary = parameter(type, 'boundary');
  const isMultipart = mimeType.startsWith('multipart/') && boundary !== '';
  const parts = isMultipart
    ? pieces(body, boundary).map((piece, at) => mimeTree(piece, partId === '' ? String(at) : `${partId}.${at}`))
    : [];
  const content = isMultipart ? Buffer.alloc(0) : decoded(body, of('content-transfer-encoding'));
  return { partId, mimeType, filename: decodeWords(filename), headers, body: content, parts };
}

/** First value of a header, unfolded; empty without one. */
export function getHeader(headers: readonly GmailHeader[], name: string): string {
  return headers.find((header) => header.name?.toLowerCase() === name.toLowerCase())?.value ?? '';
}

/** The resource as in the REST reference. Attachment contents are fetched separately. */
export function asPayload(part: MimePart): GmailPart {
  const { partId, mimeType, filename, headers, body, parts } = part;
  const isApart = filename !== '' || (!mimeType.startsWith('text/') && !mimeType.startsWith('multipart/'));
  const content = isApart && body.length > 0 ? { attachmentId: `att-${partId || '0'}` } : dataOf(body);
  return {
    partId,
    mimeType,
    filename,
    headers,
    body: { size: body.length, ...content },
    ...(parts.length > 0 ? { parts: parts.map(asPayload) } : {}),
  };
}

export function getPart(root: MimePart, attachmentId: string): MimePart | null {
  if (`att-${root.partId || '0'}` === attachmentId) return root;
  for (const part of root.parts) {
    const found = getPart(part, attachmentId);
    if (found) return found;
  }
  return null;
}

function dataOf(body: Buffer): { data?: string } {
  return body.length > 0 ? { data: body.toString('base64url') } : {};
}

function split(raw: Buffer): { headers: GmailHeader[]; body: Buffer } {
  const text = raw.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const body = end ? raw.subarray(end.index + end[0].length) : Buffer.alloc(0);
  const unfolded = Buffer.from(head, 'latin1')
    .toString('utf8')
    .replaceAll(/\r?\n(?=[ \t])/g, '');
  const headers = unfolded.split(/\r?\n/).flatMap((line): GmailHeader[] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }] : [];
  });
  return { headers, body };
}

function parameter(value: string, name: string): string {
  const [, encoded] = new RegExp(String.raw`;\s*${name}\*=utf-8'[^']*'([^;\s]+)`, 'i').exec(value) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const found = new RegExp(String.raw`;\s*${name}=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))`, 'i').exec(value);
  return (found?.[1] ?? found?.[2] ?? '').replaceAll(/\\(.)/g, '$1');
}

function pieces(body: Buffer, boundary: string): Buffer[] {
  const found: Buffer[] = [];
  const mark = Buffer.from(`--${boundary}`);
  let start = -1;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    if (start !== -1) found.push(body.subarray(start, lineEndBefore(body, at)));
    if (body.subarray(at + mark.length, at + mark.length + 2).toString() === '--') return found;
    start = body.indexOf(0x0a, at) + 1;
  }
  if (start > 0) found.push(body.subarray(start));
  return found;
}

function lineEndBefore(body: Buffer, at: number): number {
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}

function decoded(body: Buffer, encoding: string): Buffer {
  if (/^base64$/i.test(encoding)) return Buffer.from(body.toString('latin1'), 'base64');
  if (!/^quoted-printable$/i.test(encoding)) return body;
  const text = body.toString('latin1').replaceAll(/=\r?\n/g, '');
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
