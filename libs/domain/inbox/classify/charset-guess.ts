/** Escape sequences that prove ISO-2022-JP. */
const JAPANESE_SHIFTS = ['$@', '$B', '(J'].map((shift) => `\u001b${shift}`);

/** UTF-8 that was decoded as a one-byte charset: a lead byte and a continuation byte as characters. */
const SEEMS_UTF8 = /[\u00c2-\u00f4][\u0080-\u00bf]|[ÃÂâ€ÐÑ][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Whether the text was probably decoded with a wrong charset. */
export function isProbablyMisread(text: string): boolean {
  return text.includes('\ufffd') || isEscapedJapanese(text) || SEEMS_UTF8.test(text);
}

function isEscapedJapanese(text: string): boolean {
  return JAPANESE_SHIFTS.some((shift) => text.includes(shift));
}

/** Tried in this order when many bytes are not ASCII. */
const MULTIBYTE = ['gb18030', 'shift_jis', 'euc-jp', 'euc-kr', 'big5'];

/** Decodes bytes whose charset may be missing, unknown or wrong. Never fails. */
export function decodeBytes(bytes: Uint8Array, declared: string | null): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (isEscapedJapanese(latin)) return tryDecode('iso-2022-jp', bytes) ?? latin;
  if (!/[\u0080-\u00ff]/.test(latin)) return latin;
  const utf8 = tryDecode('utf-8', bytes);
  if (utf8 !== null) return utf8;
  const label = declared?.toLowerCase() ?? '';
  const byLabel = label === '' || /^(?:us-ascii|ascii|utf-?8)$/.test(label) ? null : tryDecode(label, bytes);
  if (byLabel !== null) return byLabel;
  const high = latin.replaceAll(/[^\u0080-\u00ff]+/g, '').length;
  if (high > 0.2 * latin.length) {
    const cyrillic = findCyrillicCharset(latin, high);
    if (cyrillic !== null) return tryDecode(cyrillic, bytes) ?? latin;
    for (const charset of MULTIBYTE) {
      const text = tryDecode(charset, bytes);
      if (text !== null) return text;
    }
  }
  // A truncated character or a stray byte: UTF-8 is still more likely.
  const damaged = new TextDecoder('utf-8').decode(bytes);
  return damaged.split('\ufffd', 4).length < 4 && high > 8 ? damaged : new TextDecoder('windows-1252').decode(bytes);
}

/** Cyrillic characters use the upper half of the bytes; Asian charsets use all of them. */
function findCyrillicCharset(latin: string, high: number): string | null {
  const upper = latin.replaceAll(/[^\u00c0-\u00ff]+/g, '');
  if (upper.length < 0.95 * high) return null;
  return 2 * upper.replaceAll(/[\u00c0-\u00df]+/g, '').length > upper.length ? 'windows-1251' : 'koi8-r';
}

/** Returns null when the charset is unknown or the bytes are invalid in it. */
function tryDecode(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
