import PostalMime, { addressParser, type Address, type Email } from 'postal-mime';
import { decodeBytes, isProbablyMisread } from './charset-guess';
import { joinFlowedText, markAsFixed } from './flowed-text';
import { decodeValue, createHeaders, parseMessageIds, readHeaderBlock } from './header-block';
import { htmlToText } from './html-text';
import { joinLines } from './line-joining';
import { slimMail } from './mail-slimming';
import {
  type MailAddress,
  type MailHeaders,
  type MailPart,
  MAX_PARTS,
  MAX_PART_CHARS,
  type ParsedMail,
  type ReturnedMessage,
  MAX_TEXT_CHARS,
} from './parsed-mail';
import { readPlainly } from './plain-reader';

const READABLE = /^(?:text|message)\/|rfc822/;
const RETURNED =
  /^(?:message\/(?:rfc822|global)|(?:text|message)\/(?:rfc822|global)-headers|application\/.{0,20}rfc822.{0,20})$/;

/** Deeper mail is read by the tolerant reader, which reads its upper levels only. */
const MAX_NESTING = 60;

/** The parts of a mail before its header is interpreted. */
interface Contents {
  readonly headers: MailHeaders;
  readonly text: string;
  readonly html: string | null;
  readonly parts: readonly MailPart[];
}

/**
 * Parses a received message. Never fails, and takes time by the size of the slimmed mail, not of the original. The library
 * parses valid MIME; a tolerant reader handles the rest.
 */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const mail = slimMail(normaliseLineEnds(raw));
  const contents = await parseStrictly(mail);
  if (contents === null) return toParsedMail(parsePlainly(mail));
  if (!isDoubtful(contents)) return toParsedMail(contents);
  const plain = parsePlainly(mail);
  return toParsedMail({
    headers: isProbablyMisread(contents.headers.get('subject') ?? '') ? plain.headers : contents.headers,
    text: isBlank(contents.text) || isProbablyMisread(contents.text) ? plain.text : contents.text,
    html: contents.html !== null && !isProbablyMisread(contents.html) ? contents.html : plain.html,
    parts: contents.parts.some(({ text }) => text !== null && isProbablyMisread(text)) ? plain.parts : contents.parts,
  });
}

/** Some archives end lines with a carriage return alone. */
function normaliseLineEnds(raw: Uint8Array): Uint8Array {
  const start = raw.subarray(0, 4_096);
  if (start.includes(0x0a) || !start.includes(0x0d)) return raw;
  return raw.map((byte) => (byte === 0x0d ? 0x0a : byte));
}

/** Whether a charset is wrong or the library found no text. */
function isDoubtful({ headers, text, html, parts }: Contents): boolean {
  if (isBlank(text) && isBlank(html ?? '')) return true;
  const texts = [headers.get('subject') ?? '', text, html ?? '', ...parts.map((part) => part.text ?? '')];
  return texts.some((each) => isProbablyMisread(each));
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

async function parseStrictly(mail: Buffer): Promise<Contents | null> {
  try {
    const flow = markAsFixed(mail);
    const email = await PostalMime.parse(joinLines(flow.mail), {
      // A returned message is evidence, not text of this mail.
      forceRfc822Attachments: true,
      maxNestingDepth: MAX_NESTING,
      maxHeadersSize: 1_048_576,
    });
    // The library does not know a type without its semicolon and would treat the text as an attachment.
    if (email.attachments.some(({ mimeType, filename }) => /^text\/\w+\s/.test(mimeType) && filename === null))
      return null;
    return {
      headers: createHeaders(email.headers.map(({ key, value }) => [key, value] as const)),
      text: truncate(flow.isFlowed ? joinFlowedText(email.text ?? '', flow) : (email.text ?? ''), MAX_TEXT_CHARS),
      html: email.html === undefined ? null : truncate(toUnixLines(email.html), MAX_TEXT_CHARS),
      parts: toParts(email),
    };
  } catch {
    return null;
  }
}

function toParts({ attachments }: Email): MailPart[] {
  return attachments.slice(0, MAX_PARTS).map(({ mimeType, filename, content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    return toPart(mimeType, filename, bytes, null);
  });
}

function parsePlainly(mail: Buffer): Contents {
  const { header, parts } = readPlainly(mail);
  const texts: string[] = [];
  const htmls: string[] = [];
  const others: MailPart[] = [];
  for (const { contentType, charset, fileName, isAttached, bytes } of parts) {
    const target = contentType === 'text/html' ? htmls : contentType === 'text/plain' ? texts : null;
    if (target && !isAttached) target.push(decodeBytes(bytes.subarray(0, 2 * MAX_TEXT_CHARS), charset));
    else others.push(toPart(contentType, fileName, bytes, charset));
  }
  return {
    headers: readHeaderBlock(header.replace(/^From [^\n]{0,1000}\n/, '')),
    text: truncate(texts.join('\n'), MAX_TEXT_CHARS),
    html: htmls.length === 0 ? null : truncate(htmls.join('\n'), MAX_TEXT_CHARS),
    parts: others,
  };
}

function toPart(contentType: string, fileName: string | null, bytes: Uint8Array, charset: string | null): MailPart {
  const type = contentType.toLowerCase();
  const isReadable = READABLE.test(type);
  return {
    contentType: type,
    fileName: fileName === null ? null : decodeValue(fileName),
    size: bytes.byteLength,
    text: isReadable
      ? truncate(toUnixLines(decodeBytes(bytes.subarray(0, 2 * MAX_PART_CHARS), charset)), MAX_PART_CHARS)
      : null,
  };
}

function toParsedMail({ headers, text, html, parts }: Contents): ParsedMail {
  const body = isBlank(text) && html !== null ? htmlToText(html) : text;
  const date = new Date(headers.get('date') ?? Number.NaN);
  return {
    headers,
    from: parseAddresses(headers.get('from') ?? headers.get('sender'))[0] ?? null,
    to: parseAddresses(headers.getAll('to').join(', ')),
    subject: headers.get('subject') ?? '',
    date: Number.isNaN(date.getTime()) ? null : date,
    messageId: parseMessageIds(headers.get('message-id'))[0] ?? null,
    inReplyTo: parseMessageIds(headers.get('in-reply-to'))[0] ?? null,
    references: parseMessageIds(headers.get('references')),
    text: toUnixLines(body).toWellFormed(),
    html,
    parts,
    returned: findReturned(parts),
  };
}

function findReturned(parts: readonly MailPart[]): ReturnedMessage | null {
  const text = parts.find(({ contentType, text }) => text !== null && RETURNED.test(contentType))?.text;
  if (typeof text !== 'string') return null;
  return toReturnedMessage(readHeaderBlock(text.replace(/^\s{0,99}/, '')));
}

/** Reads the header of a returned message. */
export function toReturnedMessage(headers: MailHeaders): ReturnedMessage {
  return {
    headers,
    messageId: parseMessageIds(headers.get('message-id'))[0] ?? null,
    from: parseAddresses(headers.get('from'))[0] ?? null,
    to: parseAddresses(headers.get('to')),
    subject: headers.get('subject') ?? '',
  };
}

/** Parses the addresses of a decoded field; groups are flattened. */
export function parseAddresses(field: string | null): MailAddress[] {
  if (field === null || field === '') return [];
  return flatten(addressParser(truncate(field, 4_096))).slice(0, 100);
}

function flatten(addresses: readonly Address[]): MailAddress[] {
  return addresses.flatMap((each) =>
    each.group ? flatten(each.group) : [{ name: each.name, address: each.address ?? '' }],
  );
}

function truncate(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) : text;
}

function toUnixLines(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
