import { CheckedField, type FieldOptions, IdsField } from '@platform/validation';

/** Longest line of a header that may be sent (RFC 5322, 2.1.1). */
const MAX_SUBJECT = 998;
/** Bytes of UTF-8. */
const MAX_BODY = 200_000;
const MAX_MAILBOXES = 1_000;

/** Ids of mailboxes. The service checks that they exist and are unique. */
export function MailboxIdsField(options: FieldOptions = {}) {
  return IdsField({ ...options, max: MAX_MAILBOXES, of: 'mailbox' });
}

/** The subject of an email, which may be empty; placeholders are allowed. */
export function SubjectField(options: FieldOptions = {}) {
  const message = `$property must be a text of at most ${MAX_SUBJECT} characters without line breaks`;
  const schema = { type: 'string', maxLength: MAX_SUBJECT } as const;
  return CheckedField({ name: 'subject', validate: isSubject, message, schema }, options);
}

/** The HTML of an email; placeholders are allowed. */
export function BodyField(options: FieldOptions = {}) {
  const message = `$property must be a text of at most ${MAX_BODY / 1000} kB`;
  const schema = { type: 'string', maxLength: MAX_BODY } as const;
  return CheckedField({ name: 'body', validate: isBody, message, schema }, options);
}

function isSubject(value: unknown): boolean {
  return isText(value) && value.length <= MAX_SUBJECT && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
}

function isBody(value: unknown): boolean {
  return isText(value) && Buffer.byteLength(value) <= MAX_BODY;
}

/** Accepts only text that UTF-8 and the database can store. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
