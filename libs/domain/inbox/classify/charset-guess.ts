/** ISO-2022-JP says of itself what it is: an escape, and one of these. */
const JAPANESE_SHIFTS = ['$@', '$B', '(J'].map((shift) => `\u001b${shift}`);

/** UTF-8 that was read as one of the one-byte charsets: a lead byte and a continuation, seen as letters. */
const SEEMS_UTF8 = /[\u00c2-\u00f4][\u0080-\u00bf]|[ÃÂâ€ÐÑ][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Whether decoded text looks as if its charset was a lie. */
export function isProbablyMisread(text: string): boolean {
  return text.includes('\ufffd') || isEscapedJapanese(text) || SEEMS_UTF8.test(text);
}

function isEscapedJapanese(text: string): boolean {
  return JAPANESE_SHIFTS.some((shift) => text.includes(shift));
}

/** Tried in this order where a good part of the bytes is beyond ASCII. */
const MULTIBYTE = ['gb18030', 'shift_jis', 'euc-jp', 'euc-kr', 'big5'];

/** Decodes bytes whose charset may be missing, unknown or a lie. Always gives text. */
export function decodeBytes(bytes: Uint8Array, declared: string | null): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (isEscapedJapanese(latin)) return decodedAs('iso-2022-jp', bytes) ?? latin;
  if (!/[\u0080-\u00ff]/.test(latin)) return latin;
  const utf8 = decodedAs('utf-8', bytes);
  if (utf8 !== null) return utf8;
  const label = declared?.toLowerCase() ?? '';
  const said = label === '' || /^(?:us-ascii|ascii|utf-?8)$/.test(label) ? null : decodedAs(label, bytes);
  if (said !== null) return said;
  const high = latin.replaceAll(/[^\u0080-\u00ff]+/g, '').length;
  if (high > 0.2 * latin.length) {
    const cyrillic = cyrillicOf(latin, high);
    if (cyrillic !== null) return decodedAs(cyrillic, bytes) ?? latin;
    for (const charset of MULTIBYTE) {
      const text = decodedAs(charset, bytes);
      if (text !== null) return text;
    }
  }
  // Cut in the middle of a character, or one stray byte: UTF-8 is still the likelier.
  const damaged = new TextDecoder('utf-8').decode(bytes);
  return damaged.split('\ufffd', 4).length < 4 && high > 8 ? damaged : new TextDecoder('windows-1252').decode(bytes);
}

/** Cyrillic letters have the upper half of the bytes; those of Asia's charsets are spread over all of them. */
function cyrillicOf(latin: string, high: number): string | null {
  const upper = latin.replaceAll(/[^\u00c0-\u00ff]+/g, '');
  if (upper.length < 0.95 * high) return null;
  return 2 * upper.replaceAll(/[\u00c0-\u00df]+/g, '').length > upper.length ? 'windows-1251' : 'koi8-r';
}

/** Null when the charset is unknown or the bytes are not of it. */
function decodedAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
