/** Decodes the chunks of a MIME part; chunk borders may be anywhere. */
export interface TransferDecoder {
  write(chunk: Buffer): Buffer;
  /** The remaining bytes at the end. */
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** A decoder for a Content-Transfer-Encoding (RFC 2045); bytes of an unknown encoding stay as they are. */
export function createTransferDecoder(encoding: string): TransferDecoder {
  if (encoding === 'base64') return new Base64Decoder();
  if (encoding === 'quoted-printable') return new QuotedPrintableDecoder();
  return { write: (chunk) => chunk, end: () => NOTHING };
}

class Base64Decoder implements TransferDecoder {
  #remaining = '';

  write(chunk: Buffer): Buffer {
    const digits = this.#remaining + chunk.toString('latin1').replaceAll(/[^A-Za-z0-9+/=]/g, '');
    // Padding ends a group, but more may follow: some programs encode in chunks.
    const pieces = digits.split(/=+/);
    const last = pieces.pop() ?? '';
    const whole = last.length - (last.length % 4);
    this.#remaining = last.slice(whole);
    return Buffer.concat([...pieces, last.slice(0, whole)].map((piece) => Buffer.from(piece, 'base64')));
  }

  end(): Buffer {
    return Buffer.from(this.#remaining, 'base64');
  }
}

/** Trailing white space of a line is dropped up to this length; a longer run is content. */
const LONGEST_BLANK = 1_024;

class QuotedPrintableDecoder implements TransferDecoder {
  #remaining = '';

  write(chunk: Buffer): Buffer {
    const text = this.#remaining + chunk.toString('latin1');
    const cut = openEnd(text);
    this.#remaining = text.slice(cut);
    return decodeQuotedPrintable(text.slice(0, cut));
  }

  end(): Buffer {
    return decodeQuotedPrintable(this.#remaining);
  }
}

/** The start of the incomplete remainder: an escape, or white space that may end a line. */
function openEnd(text: string): number {
  if (/=[0-9A-Fa-f]$/.test(text.slice(-2))) return text.length - 2;
  let cut = text.length;
  const most = Math.max(0, cut - LONGEST_BLANK);
  while (cut > most && ' \t\r'.includes(text.charAt(cut - 1))) cut -= 1;
  return text[cut - 1] === '=' ? cut - 1 : cut;
}

function decodeQuotedPrintable(text: string): Buffer {
  // Each run of blanks is examined once, because a hostile mail may contain nothing else.
  const trimmed = text.replaceAll(/(?<![ \t])[ \t]+(\r?\n)/g, '$1');
  // Escapes and soft breaks are decoded in one pass, so that a removed break creates no new escape.
  const decoded = trimmed.replaceAll(/=(?:\r?\n|([0-9A-Fa-f]{2}))/g, (_found, hex?: string) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
