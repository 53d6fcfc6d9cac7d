/** HTML, 4.2.5.4: a declaration has to be in the first 1024 bytes of the page. */
const DECLARATION_BYTES = 1_024;

/** Text of a page, by the byte order mark, the header, its own declaration, or UTF-8, in this order (HTML, 13.2.3.2). */
export function decodeHtml(body: Buffer, contentType: string | undefined): string {
  const label = getByteOrderMark(body) ?? parseCharset(contentType ?? '') ?? findDeclaredCharset(body);
  return createDecoder(label ?? 'utf-8').decode(body);
}

function getByteOrderMark(body: Buffer): string | null {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : null;
}

function findDeclaredCharset(body: Buffer): string | null {
  const start = body.subarray(0, DECLARATION_BYTES).toString('latin1');
  const declared = /<meta\s[^>]*charset[^>]*>/i.exec(start);
  const label = declared && parseCharset(declared[0]);
  // The declaration was readable as ASCII, so the page is in no two-byte encoding, even if it declares one.
  return label && !/^utf-?16/i.test(label) ? label : null;
}

function parseCharset(text: string): string | null {
  return /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1] ?? null;
}

function createDecoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown encoding.
    return new TextDecoder('utf-8');
  }
}
