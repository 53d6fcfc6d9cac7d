/** Stored characters of a record; legitimate ones (such as an RSA key of 4096 bits) have less than a thousand. */
const MAX_RECORD = 4_096;
/** Characters that a message quotes. */
const MAX_QUOTE = 80;

const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Returns a record for storage and display: other characters than printable ASCII as `\xNN`, long records cut (`…`). */
export function recordText(record: string): string {
  return escapeUnprintable(record, MAX_RECORD);
}

/** Quotes a part of a record for a message, escaped and cut like a record. */
export function quoteRecord(text: string): string {
  return `"${escapeUnprintable(text, MAX_QUOTE)}"`;
}

function escapeUnprintable(text: string, max: number): string {
  const escaped = text.slice(0, max + 1).replaceAll(UNPRINTABLE, escape);
  return escaped.length > max ? `${escaped.slice(0, max)}…` : escaped;
}

function escape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
