import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { invalidField } from '@platform/errors';
import { type MailAddress } from '../port/changes';
import { type ComposedMessage } from '../port/send';
import { usableMailbox } from './mail-address';
import { usableHeaders, usableMessageId, usableReferences, usableSubject } from './mail-header';

/** An image for `cid:<cid>` in the HTML; it is embedded, so that no remote content is loaded. */
export interface MessageImage {
  /** Letters, digits, dots, hyphens and underscores, with an optional `@`. */
  readonly cid: string;
  readonly filename: string;
  readonly contentType: 'image/png';
  readonly content: Buffer;
}

/** The input of a message. All of it is untrusted: names, subjects and bodies come from leads and templates. */
export interface MessageInput {
  readonly from: MailAddress;
  /** The one recipient. */
  readonly to: MailAddress;
  readonly replyTo?: MailAddress;
  readonly subject: string;
  /** At least one of `text` and `html`. */
  readonly text?: string;
  readonly html?: string;
  /** Images of the HTML (multipart/related, RFC 2387). */
  readonly images?: readonly MessageImage[];
  /** `<id@domain>`, with angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  /** With angle brackets. */
  readonly inReplyTo?: string;
  /** Oldest first, with angle brackets. */
  readonly references?: readonly string[];
  /** Extra fields such as List-Unsubscribe; the fields of the message itself cannot be given here. */
  readonly headers?: Readonly<Record<string, string>>;
}

const ENCODED_WORD_LENGTH = 52;

/**
 * Builds the MIME of a message: one sender, one recipient, CRLF line ends, no Bcc, nothing read from disk or network. A
 * domain beyond ASCII is written in A-labels; a local part beyond ASCII stays and needs a server with SMTPUTF8.
 * @throws AppError VALIDATION_ERROR naming the field that cannot be written into a message
 */
export async function composeMessage(input: MessageInput): Promise<ComposedMessage> {
  const from = usableMailbox('from', input.from);
  const to = usableMailbox('to', input.to);
  const messageId = usableMessageId(input.messageId);
  if (Number.isNaN(input.date.getTime())) throw invalidField('date', 'date is not a date');
  const composer = new MailComposer({
    from: { ...from },
    to: { ...to },
    replyTo: input.replyTo && { ...usableMailbox('replyTo', input.replyTo) },
    ...bodies(input),
    attachments: (input.images ?? []).map(related),
    messageId,
    date: input.date,
    inReplyTo: input.inReplyTo === undefined ? undefined : usableReferences('inReplyTo', [input.inReplyTo])[0],
    references: usableReferences('references', input.references ?? []),
    headers: { ...encodedWhereNeeded(input.headers ?? {}), ...subjectHeader(input.subject) },
    newline: 'win',
    // Otherwise `html: {path}` or an attachment could read local files. The types allow strings only.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const raw = await composer.compile().build();
  return { envelope: { from: from.address, to: to.address }, messageId, raw };
}

function bodies({ text, html }: MessageInput): { text?: string; html?: string } {
  if (!text && !html) throw invalidField('text', 'text or html is required');
  return { ...(text && { text: toWellFormedText(text) }), ...(html && { html: toWellFormedText(html) }) };
}

const CID = /^[\w.-]{1,100}(?:@[\w.-]{1,200})?$/;
const FILENAME = /^[\w-][\w. -]{0,99}$/;

/** An inline image as bytes, never as a path or URL to load. */
function related({ cid, filename, contentType, content }: MessageImage) {
  if (!CID.test(cid)) throw invalidField('images', 'images has a cid that is not letters, digits, dots and hyphens');
  if (!FILENAME.test(filename)) throw invalidField('images', 'images has a file name that cannot be written');
  return { cid, filename, contentType, content: Buffer.from(content), contentDisposition: 'inline' as const };
}

/** Normalises line ends to CRLF: a relay would rewrite a lone CR or LF. */
function toWellFormedText(body: string): string {
  return body.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n');
}

function encodedWhereNeeded(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(usableHeaders(headers)).map(([name, value]) => [name, literally(value)]));
}

function subjectHeader(subject: string) {
  return { Subject: literally(usableSubject(subject)) };
}

/**
 * Keeps ASCII unchanged: nodemailer would encode text with a quote, and mail programs do not parse an encoded List-Id. Text that
 * looks like an encoded word is encoded again, because mail programs would decode it.
 */
function literally(value: string) {
  if (value.includes('=?')) return prepared(encodeWord(value, 'B', ENCODED_WORD_LENGTH));
  return /^\p{ASCII}*$/u.test(value) ? prepared(value) : value;
}

function prepared(value: string) {
  return { prepared: true, foldLines: true, value };
}
