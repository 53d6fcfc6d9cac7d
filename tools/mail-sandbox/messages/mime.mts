/** Builds MIME messages byte for byte. Bodies are strings of bytes (latin1), so that an original is quoted unchanged. */

export type Header = readonly [name: string, value: string];

export interface Part {
  headers: readonly Header[];
  body: string;
}

const LONGEST_LINE = 76;

/** A text part in UTF-8, quoted-printable. */
export function text(subtype: 'plain' | 'html', content: string): Part {
  return {
    headers: [
      ['Content-Type', `text/${subtype}; charset="utf-8"`],
      ['Content-Transfer-Encoding', 'quoted-printable'],
    ],
    body: quotedPrintable(content),
  };
}

/** A part whose bytes stand as they are. */
export function verbatim(type: string, body: string, ...more: Header[]): Part {
  return { headers: [['Content-Type', type], ...more], body };
}

export function multipart(subtype: string, boundary: string, parts: readonly Part[]): Part {
  const [kind, ...parameters] = subtype.split('; ');
  const type = [`multipart/${kind}`, ...parameters, `boundary="${boundary}"`].join('; ');
  const bodies = parts.map((part) => `--${boundary}\r\n${headerLines(part.headers)}\r\n${part.body}\r\n`);
  return { headers: [['Content-Type', type]], body: `${bodies.join('')}--${boundary}--\r\n` };
}

export function message(headers: readonly Header[], part: Part): Buffer {
  const all = [...headers, ['MIME-Version', '1.0'] as const, ...part.headers];
  return Buffer.from(`${headerLines(all)}\r\n${part.body}`, 'latin1');
}

/** Header lines; values beyond ASCII are encoded, and none can bring a line of its own. */
function headerLines(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}: ${encodedWords(value.replace(/[\r\n]+/g, ' '))}\r\n`).join('');
}

/** `Name <address>`, quoted as needed. */
export function mailbox(name: string, address: string): string {
  const plain = name.replace(/["\\\r\n]/g, '');
  return plain === '' ? `<${address}>` : /^[\w ]*$/.test(plain) ? `${plain} <${address}>` : `"${plain}" <${address}>`;
}

/** As in RFC 5322, in UTC. */
export function mailDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

/** Runs of words beyond ASCII become encoded words of at most 75 characters (RFC 2047). */
function encodedWords(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  const address = /^"?([^"<]*?)"? (<[^<>]*>)$/.exec(value);
  if (address?.[1]) return `${encodedWords(address[1])} ${address[2]}`;
  const words: string[] = [];
  let word = '';
  for (const char of value) {
    if (Buffer.byteLength(word + char) > 42) {
      words.push(word);
      word = '';
    }
    word += char;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ');
}

function quotedPrintable(content: string): string {
  return content
    .split(/\r?\n/)
    .map((line) => softened(encodeLine(line)))
    .join('\r\n');
}

function encodeLine(line: string): string[] {
  const bytes = [...Buffer.from(line)];
  return bytes.map((byte, index) => {
    const blankAtEnd = (byte === 0x20 || byte === 0x09) && index === bytes.length - 1;
    const literal = (byte >= 0x20 && byte < 0x7f && byte !== 0x3d) || byte === 0x09;
    return literal && !blankAtEnd ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function softened(symbols: string[]): string {
  let line = '';
  let column = 0;
  for (const symbol of symbols) {
    if (column + symbol.length >= LONGEST_LINE) {
      line += '=\r\n';
      column = 0;
    }
    line += symbol;
    column += symbol.length;
  }
  return line;
}
