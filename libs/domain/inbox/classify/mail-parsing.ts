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

/** Deeper mail is read plainly, which looks at its upper levels only. */
const MOST_NESTING = 60;

/** What a mail is made of, before its header is looked at. */
interface Contents {
  readonly headers: MailHeaders;
  readonly text: string;
  readonly html: string | null;
  readonly parts: readonly MailPart[];
}

/**
 * Reads a message as it was received. Whatever it is, there is an answer, and it takes time by what is kept of it, not by
 * what was sent: MIME as it should be is read by the library, the rest plainly.
 */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const mail = slimMail(withLineEnds(raw));
  const contents = await byTheBook(mail);
  if (contents === null) return parsedMail(plainly(mail));
  if (!isDoubtful(contents)) return parsedMail(contents);
  const plain = plainly(mail);
  return parsedMail({
    headers: isProbablyMisread(contents.headers.get('subject') ?? '') ? plain.headers : contents.headers,
    text: isBlank(contents.text) || isProbablyMisread(contents.text) ? plain.text : contents.text,
    html: contents.html !== null && !isProbablyMisread(contents.html) ? contents.html : plain.html,
    parts: contents.parts.some(({ text }) => text !== null && isProbablyMisread(text)) ? plain.parts : contents.parts,
  });
}

/** Some archives end lines with a carriage return alone. */
function withLineEnds(raw: Uint8Array): Uint8Array {
  const start = raw.subarray(0, 4_096);
  if (start.includes(0x0a) || !start.includes(0x0d)) return raw;
  return raw.map((byte) => (byte === 0x0d ? 0x0a : byte));
}

/** Charsets that lie, and mails in which the library found nothing. */
function isDoubtful({ headers, text, html, parts }: Contents): boolean {
  if (isBlank(text) && isBlank(html ?? '')) return true;
  const texts = [headers.get('subject') ?? '', text, html ?? '', ...parts.map((part) => part.text ?? '')];
  return texts.some((each) => isProbablyMisread(each));
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

async function byTheBook(mail: Buffer): Promise<Contents | null> {
  try {
    const flow = markAsFixed(mail);
    const email = await PostalMime.parse(joinLines(flow.mail), {
      // A returned message is evidence of what was sent, never part of what is said.
      forceRfc822Attachments: true,
      maxNestingDepth: MOST_NESTING,
      maxHeadersSize: 1_048_576,
    });
    // A type without its semicolon is none that the library knows: the text would count as attached.
    if (email.attachments.some(({ mimeType, filename }) => /^text\/\w+\s/.test(mimeType) && filename === null))
      return null;
    return {
      headers: createHeaders(email.headers.map(({ key, value }) => [key, value] as const)),
      text: cut(flow.isFlowed ? joinFlowedText(email.text ?? '', flow) : (email.text ?? ''), MAX_TEXT_CHARS),
      html: email.html === undefined ? null : cut(unix(email.html), MAX_TEXT_CHARS),
      parts: partsOf(email),
    };
  } catch {
    return null;
  }
}

function partsOf({ attachments }: Email): MailPart[] {
  return attachments.slice(0, MAX_PARTS).map(({ mimeType, filename, content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    return part(mimeType, filename, bytes, null);
  });
}

function plainly(mail: Buffer): Contents {
  const { header, parts } = readPlainly(mail);
  const texts: string[] = [];
  const htmls: string[] = [];
  const others: MailPart[] = [];
  for (const { contentType, charset, fileName, isAttached, bytes } of parts) {
    const sheet = contentType === 'text/html' ? htmls : contentType === 'text/plain' ? texts : null;
    if (sheet && !isAttached) sheet.push(decodeBytes(bytes.subarray(0, 2 * MAX_TEXT_CHARS), charset));
    else others.push(part(contentType, fileName, bytes, charset));
  }
  return {
    headers: readHeaderBlock(header.replace(/^From [^\n]{0,1000}\n/, '')),
    text: cut(texts.join('\n'), MAX_TEXT_CHARS),
    html: htmls.length === 0 ? null : cut(htmls.join('\n'), MAX_TEXT_CHARS),
    parts: others,
  };
}

function part(contentType: string, fileName: string | null, bytes: Uint8Array, charset: string | null): MailPart {
  const type = contentType.toLowerCase();
  const isReadable = READABLE.test(type);
  return {
    contentType: type,
    fileName: fileName === null ? null : decodeValue(fileName),
    size: bytes.byteLength,
    text: isReadable ? cut(unix(decodeBytes(bytes.subarray(0, 2 * MAX_PART_CHARS), charset)), MAX_PART_CHARS) : null,
  };
}

function parsedMail({ headers, text, html, parts }: Contents): ParsedMail {
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
    text: unix(body).toWellFormed(),
    html,
    parts,
    returned: returnedIn(parts),
  };
}

function returnedIn(parts: readonly MailPart[]): ReturnedMessage | null {
  const text = parts.find(({ contentType, text }) => text !== null && RETURNED.test(contentType))?.text;
  if (typeof text !== 'string') return null;
  return toReturnedMessage(readHeaderBlock(text.replace(/^\s{0,99}/, '')));
}

/** What the header of a returned message says. */
export function toReturnedMessage(headers: MailHeaders): ReturnedMessage {
  return {
    headers,
    messageId: parseMessageIds(headers.get('message-id'))[0] ?? null,
    from: parseAddresses(headers.get('from'))[0] ?? null,
    to: parseAddresses(headers.get('to')),
    subject: headers.get('subject') ?? '',
  };
}

/** Addresses of a field that is decoded already, without groups. */
export function parseAddresses(field: string | null): MailAddress[] {
  if (field === null || field === '') return [];
  return flat(addressParser(cut(field, 4_096))).slice(0, 100);
}

function flat(addresses: readonly Address[]): MailAddress[] {
  return addresses.flatMap((each) =>
    each.group ? flat(each.group) : [{ name: each.name, address: each.address ?? '' }],
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) : text;
}

function unix(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
