import { type composeMessage, type MailAddress } from '@adapters/mail';
import { toHtml, toTextPart } from '@domain/campaigns';
import { invalidField } from '@platform/errors';
import { stripReplyPrefixes } from '../match/bare-subject';
import { type ConversationMessageRecord } from '../schemas/conversation-message.record';
import { type InboxReplyRecord } from '../schemas/inbox-reply.record';

/** Input of `composeMessage`. */
export type MessageInput = Parameters<typeof composeMessage>[0];

/** The facts of the answered message that a reply needs. */
export type Answered = Pick<ConversationMessageRecord, 'messageId' | 'references' | 'subject'>;

/** The content of a reply. */
export interface ReplyContent {
  readonly html: string | null;
  readonly text: string;
}

/** The headers that place a reply in its thread. */
export interface Threading {
  readonly subject: string;
  readonly inReplyTo: string | null;
  readonly references: string[];
}

/** Bytes of HTML and text in total. */
export const MAX_CONTENT = 200_000;
const MAX_REFERENCES = 20;
const MAX_SUBJECT = 500;
const MAX_NAME = 200;

/**
 * Parses the content of a reply and derives the missing text from the HTML.
 * @throws VALIDATION_ERROR when it is empty or too long
 */
export function parseReplyContent({ body = '', text = '' }: { body?: string; text?: string }): ReplyContent {
  if (Buffer.byteLength(body) + Buffer.byteLength(text) > MAX_CONTENT) {
    throw invalidField('body', `body and text must have at most ${MAX_CONTENT / 1_000} kB together`);
  }
  const html = body.trim() === '' ? null : toHtml(body);
  const plain = text.trim() === '' ? toTextPart(html ?? '') : text;
  // An image alone is content, too.
  if (!isVisible(plain) && !/<img\b/i.test(html ?? '')) {
    throw invalidField('body', 'body or text must say something');
  }
  return { html, text: plain };
}

/** Derives subject, In-Reply-To and References. @param subject empty: that of the conversation */
export function toThreading(
  subject: string,
  conversation: { readonly subject: string },
  answered: Answered | null,
): Threading {
  const theirs = stripReplyPrefixes(answered?.subject || conversation.subject);
  const references = answered?.messageId ? [...new Set([...answered.references, answered.messageId])] : [];
  return {
    subject: truncate(subject === '' ? `Re: ${theirs}`.trim() : subject),
    inReplyTo: answered?.messageId ?? null,
    // The first reference identifies the thread, the latest ones place the reply in it (RFC 5322, 3.6.4).
    references:
      references.length <= MAX_REFERENCES
        ? references
        : [...references.slice(0, 1), ...references.slice(1 - MAX_REFERENCES)],
  };
}

/** Composes the message of a reply: without tracking and without additions to its content. */
export function composeReply(reply: InboxReplyRecord, date: Date): MessageInput {
  const { from, to, subject, html, text, messageId, inReplyTo, references } = reply;
  return {
    from: toHeaderAddress(from),
    to: toHeaderAddress(to),
    subject,
    messageId,
    date,
    ...(html !== null && { html }),
    ...(text !== '' && { text }),
    ...(inReplyTo !== null && { inReplyTo, references }),
  };
}

function isVisible(text: string): boolean {
  return /[^\s\p{Cf}\p{Cc}\p{Z}]/u.test(text);
}

/** Omits a name that mail programs would decode, or that is too long for a name. */
function toHeaderAddress({ name, address }: MailAddress): MailAddress {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return { name: line.length > MAX_NAME || line.includes('=?') ? '' : line, address };
}

function truncate(subject: string): string {
  return subject.length > MAX_SUBJECT
    ? subject
        .slice(0, MAX_SUBJECT)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
    : subject;
}
