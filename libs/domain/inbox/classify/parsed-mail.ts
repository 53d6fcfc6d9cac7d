/** One address of a header field. */
export interface MailAddress {
  /** Decoded; empty when missing. */
  readonly name: string;
  /** Without angle brackets, as written; empty when it could not be read. */
  readonly address: string;
}

/** Header fields by case-insensitive name. Values are unfolded and decoded (RFC 2047), without line breaks. */
export interface MailHeaders {
  /** The first field of that name, null when there is none. */
  get(name: string): string | null;
  /** All fields of that name in their order. */
  getAll(name: string): readonly string[];
  has(name: string): boolean;
  /** Names in lower case, each once, in their order. */
  names(): readonly string[];
}

/** A leaf part outside the body: an attachment, a report or a returned message. */
export interface MailPart {
  /** Lower case, without parameters: `message/delivery-status`. */
  readonly contentType: string;
  readonly fileName: string | null;
  /** Decoded bytes of the part that was read. */
  readonly size: number;
  /** The text of `text/*`, `message/*` and `application/*rfc822*`, decoded and cut at `PART_CHARS`; null for other types. */
  readonly text: string | null;
}

/** The message that a report returns; often only a few fields. */
export interface ReturnedMessage {
  readonly headers: MailHeaders;
  /** With angle brackets; null when the report does not include it. */
  readonly messageId: string | null;
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly subject: string;
}

/**
 * A received message as the rules of the inbox read it: plain data of bounded size, in Unicode whatever the declared charset.
 * Missing and unreadable fields are null or empty.
 */
export interface ParsedMail {
  readonly headers: MailHeaders;
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  /** The Date header. */
  readonly date: Date | null;
  /** With angle brackets, as all ids here. */
  readonly messageId: string | null;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  /** The text body, or the HTML body converted to text. `\n` ends lines. Cut at `TEXT_CHARS`. */
  readonly text: string;
  /** The HTML body as received, cut at `TEXT_CHARS`. Not safe to show. */
  readonly html: string | null;
  /** Parts in order, nested ones included, at most `MOST_PARTS`. */
  readonly parts: readonly MailPart[];
  /** The returned message part (RFC 3462), or null. */
  readonly returned: ReturnedMessage | null;
}

/** Most UTF-16 units of `text` and of `html`. */
export const MAX_TEXT_CHARS = 65_536;

/** Most UTF-16 units of one part's text. */
export const MAX_PART_CHARS = 65_536;

/** Most parts. */
export const MAX_PARTS = 200;
