import { type composeMessage, type MailAddress } from '@adapters/mail';
import { toHtml, toTextPart } from '@domain/campaigns';
import { invalidField } from '@platform/errors';
import { bareSubject } from '../match/bare-subject';
import { type ConversationMessageRecord } from '../schemas/conversation-message.record';
import { type InboxReplyRecord } from '../schemas/inbox-reply.record';

/** What `composeMessage` makes a message of. */
export type MessageInput = Parameters<typeof composeMessage>[0];

/** The message that is answered, as far as that matters. */
export type Answered = Pick<ConversationMessageRecord, 'messageId' | 'references' | 'subject'>;

export interface Written {
  readonly html: string | null;
  readonly text: string;
}

export interface Place {
  readonly subject: string;
  readonly inReplyTo: string | null;
  readonly references: string[];
}

/** Bytes of HTML and text together. */
export const MAX_CONTENT = 200_000;
const MAX_REFERENCES = 20;
const MAX_SUBJECT = 500;
/** Longest name in a header. */
const MAX_NAME = 200;

/**
 * What a person wrote, with the text that belongs to HTML.
 * @throws VALIDATION_ERROR when it is nothing, or too much
 */
export function toWritten({ body = '', text = '' }: { body?: string; text?: string }): Written {
  if (Buffer.byteLength(body) + Buffer.byteLength(text) > MAX_CONTENT) {
    throw invalidField('body', `body and text must have at most ${MAX_CONTENT / 1_000} kB together`);
  }
  const html = body.trim() === '' ? null : toHtml(body);
  const plain = text.trim() === '' ? toTextPart(html ?? '') : text;
  // An image alone is something, too.
  if (!isVisible(plain) && !/<img\b/i.test(html ?? '')) {
    throw invalidField('body', 'body or text must say something');
  }
  return { html, text: plain };
}

/** Where a reply stands among what was written before it. @param subject the person's own; empty: that of the conversation */
export function placeOf(subject: string, conversation: { readonly subject: string }, answered: Answered | null): Place {
  const theirs = bareSubject(answered?.subject || conversation.subject);
  const references = answered?.messageId ? [...new Set([...answered.references, answered.messageId])] : [];
  return {
    subject: bounded(subject === '' ? `Re: ${theirs}`.trim() : subject),
    inReplyTo: answered?.messageId ?? null,
    // The first one holds the thread together, the newest ones place the reply in it (RFC 5322, 3.6.4).
    references:
      references.length <= MAX_REFERENCES
        ? references
        : [...references.slice(0, 1), ...references.slice(1 - MAX_REFERENCES)],
  };
}

/** The message of a reply: nothing in it is tracked, and nothing else is added to what was written. */
export function composeReply(reply: InboxReplyRecord, date: Date): MessageInput {
  const { from, to, subject, html, text, messageId, inReplyTo, references } = reply;
  return {
    from: named(from),
    to: named(to),
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

/** A name that mail programs would decode, or that is no name by its length, is left out. */
function named({ name, address }: MailAddress): MailAddress {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return { name: line.length > MAX_NAME || line.includes('=?') ? '' : line, address };
}

function bounded(subject: string): string {
  return subject.length > MAX_SUBJECT
    ? subject
        .slice(0, MAX_SUBJECT)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
    : subject;
}
