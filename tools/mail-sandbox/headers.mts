import { addressParser, decodeWords } from 'postal-mime';

const LONGEST_HEADER = 200_000;

/** The header block of a message as text, with continuation lines joined. */
function headerBlock(raw: Buffer): string {
  const head = raw.subarray(0, LONGEST_HEADER);
  const ends = [head.indexOf('\r\n\r\n'), head.indexOf('\n\n')].filter((at) => at >= 0);
  return head
    .subarray(0, Math.min(...ends, head.length))
    .toString()
    .replace(/\r?\n[ \t]+/g, ' ');
}

/** The header fields of the message list, read without parsing the body, because this runs for every accepted message. */
export function toSummary(raw: Buffer): { from: string; messageId: string; subject: string } {
  const block = headerBlock(raw);
  const value = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(block)?.[1]?.trim().slice(0, 998) ?? '';
  const sender = addressParser(value('from'), { flatten: true })[0];
  return {
    from: (sender?.address ?? '').toLowerCase(),
    messageId: value('message-id'),
    subject: decoded(value('subject')),
  };
}

function decoded(text: string): string {
  try {
    return text.includes('=?') ? decodeWords(text) : text;
  } catch {
    return text;
  }
}
