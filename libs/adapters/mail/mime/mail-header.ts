import { invalidField } from '@platform/errors';

/** Fields that `composeMessage` writes itself, or that a mail server would act on; also every `Content-…` and `Resent-…`. */
const STRUCTURAL: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'apparently-to',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'return-path',
  'received',
  'dkim-signature',
]);
const STRUCTURAL_FAMILY = /^(?:content|resent|arc)-/;

const FIELD_NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
/** RFC 5322 `msg-id`, as lenient as real mail requires: any printable character except space and angle brackets. */
const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/;
/** Our own ids are stricter: one `@`, nothing that needs quotes. */
const OWN_MESSAGE_ID = /^<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,150}@[A-Za-z0-9.-]{1,253}>$/;

const MAX_SUBJECT = 1_000;
const MAX_VALUE = 2_000;
const MAX_REFERENCES = 100;
/** Lines are folded at spaces only and must stay below 998 bytes (RFC 5322, 2.1.1). */
const MAX_UNBROKEN = 900;

/**
 * A subject without line breaks and control characters.
 * @throws AppError VALIDATION_ERROR
 */
export function usableSubject(subject: string): string {
  if (CONTROL.test(subject)) throw invalidField('subject', 'subject contains a line break or a control character');
  if (subject.length > MAX_SUBJECT) throw invalidField('subject', `subject is longer than ${MAX_SUBJECT} characters`);
  return tidy('subject', subject);
}

/**
 * Validates extra header fields: they must stay on one line and must not replace a field of the message itself. Values beyond ASCII are
 * encoded later, except in machine-readable fields (`List-…`, `Precedence` and similar), which allow ASCII only.
 * @throws AppError VALIDATION_ERROR naming `headers.<Name>`
 */
export function usableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const keys = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const field = `headers.${FIELD_NAME.test(name) ? name : '?'}`;
    const key = name.toLowerCase();
    if (!FIELD_NAME.test(name)) throw invalidField(field, 'headers has a name that is not letters, digits and hyphens');
    if (STRUCTURAL.has(key) || STRUCTURAL_FAMILY.test(key)) {
      throw invalidField(field, `${name} is part of the message itself and cannot be given as an extra header`);
    }
    if (keys.has(key)) throw invalidField(field, `${name} is given twice`);
    keys.add(key);
    checkValue(field, key, value);
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, tidy(`headers.${name}`, value)]));
}

/**
 * The Message-ID of an own message, with angle brackets.
 * @throws AppError VALIDATION_ERROR
 */
export function usableMessageId(id: string): string {
  if (!OWN_MESSAGE_ID.test(id)) throw invalidField('messageId', 'messageId is not of the form <id@domain>');
  return id;
}

/**
 * Message-IDs of other messages, with angle brackets. Of many, the first and the newest are kept, as in RFC 5322 (3.6.4) and Usenet
 * practice.
 * @throws AppError VALIDATION_ERROR naming the field
 */
export function usableReferences(field: string, ids: readonly string[]): string[] {
  for (const id of ids) {
    if (!MESSAGE_ID.test(id))
      throw invalidField(field, `${field} holds something that is not a message id in angle brackets`);
  }
  return ids.length <= MAX_REFERENCES ? [...ids] : [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)];
}

function checkValue(field: string, key: string, value: string): void {
  if (CONTROL.test(value)) throw invalidField(field, `${field} contains a line break or a control character`);
  if (value.trim() === '') throw invalidField(field, `${field} is empty`);
  if (value.length > MAX_VALUE) throw invalidField(field, `${field} is longer than ${MAX_VALUE} characters`);
  if (!key.startsWith('x-') && !PRINTABLE_ASCII.test(value)) throw invalidField(field, `${field} must be plain ASCII`);
}

/** Collapses spaces: a fold between two spaces would create a blank line, which some parsers treat as the end of the header. */
function tidy(field: string, value: string): string {
  const lastReply = value.toWellFormed().split(/ +/).filter(Boolean);
  // Text beyond ASCII is encoded in short words, which fold anywhere.
  if (lastReply.some((token) => token.length > MAX_UNBROKEN && PRINTABLE_ASCII.test(token))) {
    throw invalidField(field, `${field} contains more than ${MAX_UNBROKEN} characters without a space`);
  }
  return lastReply.join(' ');
}
