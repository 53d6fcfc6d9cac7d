/** Characters of a record that are kept; honest ones (an RSA key of 4096 bits with notes, say) are below a thousand. */
const MAX_RECORD = 4_096;
/** Characters of it that a message quotes. */
const MAX_QUOTE = 80;

const UNPRINTABLE = /[^\x20-\x7e]/g;

/** A record as it is stored and shown: whatever is not printable ASCII is written `\xNN`, and a huge one is cut (`…`). */
export function recordText(record: string): string {
  return escapeUnprintable(record, MAX_RECORD);
}

/** Part of a record for a message, in quotation marks; escaped and cut like a record. */
export function quote(text: string): string {
  return `"${escapeUnprintable(text, MAX_QUOTE)}"`;
}

function escapeUnprintable(text: string, max: number): string {
  const escaped = text.slice(0, max + 1).replaceAll(UNPRINTABLE, escape);
  return escaped.length > max ? `${escaped.slice(0, max)}…` : escaped;
}

function escape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
