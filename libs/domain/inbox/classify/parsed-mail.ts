/** One address of a header field. */
export interface MailAddress {
  /** Decoded; empty when there is none. */
  readonly name: string;
  /** Without angle brackets, as written; empty when it could not be read. */
  readonly address: string;
}

/** Header fields by name, whatever its case. Values are unfolded and decoded (RFC 2047), and hold no line break. */
export interface MailHeaders {
  /** The first field of that name, null when there is none. */
  get(name: string): string | null;
  /** All fields of that name in their order. */
  getAll(name: string): readonly string[];
  has(name: string): boolean;
  /** Names in lower case, each once, in their order. */
  names(): readonly string[];
}

/** One part that is no container and no text of the body: an attachment, a report, a returned message. */
export interface MailPart {
  /** Lower case, without parameters: `message/delivery-status`. */
  readonly contentType: string;
  readonly fileName: string | null;
  /** Bytes after decoding, of what was read of it. */
  readonly size: number;
  /** What `text/*`, `message/*` and `application/*rfc822*` hold, decoded and cut at `PART_CHARS`; null for other types. */
  readonly text: string | null;
}

/** The message that a report or a bounce gives back: what is known of it, maybe only a few fields. */
export interface ReturnedMessage {
  readonly headers: MailHeaders;
  /** With angle brackets, null when it was not given back. */
  readonly messageId: string | null;
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly subject: string;
}

/**
 * A received message as the rules of the inbox see it: plain data, bounded in size, in Unicode whatever the message says
 * of itself. Missing and unreadable things are null or empty.
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
  /** The text body, or the HTML body as text where there is no other. `\n` ends lines. Cut at `TEXT_CHARS`. */
  readonly text: string;
  /** The HTML body as it was sent, cut at `TEXT_CHARS`. Not safe to show. */
  readonly html: string | null;
  /** Parts in their order, nested ones too, at most `MOST_PARTS`. */
  readonly parts: readonly MailPart[];
  /** The message that this one returns as a part of its own (RFC 3462), null when there is no such part. */
  readonly returned: ReturnedMessage | null;
}

/** Most UTF-16 units of `text` and of `html`. */
export const MAX_TEXT_CHARS = 65_536;

/** Most UTF-16 units of one part's text. */
export const MAX_PART_CHARS = 65_536;

/** Most parts. */
export const MAX_PARTS = 200;
