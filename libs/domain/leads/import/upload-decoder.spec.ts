import { UploadDecoder } from './upload-decoder';

/** Decodes a file in pieces of this many bytes. */
function decoded(file: Buffer, size = file.length) {
  const decoder = new UploadDecoder();
  const parts: Buffer[] = [];
  for (let at = 0; at < file.length; at += Math.max(1, size)) parts.push(decoder.push(file.subarray(at, at + size)));
  parts.push(decoder.end());
  return { stored: Buffer.concat(parts), encoding: decoder.encoding, text: decoder.storedText };
}

const TEXT = 'E-Mail;Größe\r\nada@example.com;“5 €” 😀\r\n';
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const LATIN = Buffer.from('email;name\r\nada@example.com;M\xfcller \x80', 'latin1');

describe.each([1, 2, 3, 5, 1000])('an upload in pieces of %d bytes', (size) => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), 'utf-8'],
    ['UTF-16 little endian', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 big endian', utf16be(`\ufeff${TEXT}`), 'utf-16be'],
  ])('in %s is stored as UTF-8 without a byte order mark', (_what, file, encoding) => {
    const { stored, ...stated } = decoded(file, size);
    expect(stated).toEqual({ encoding, text: 'utf-8' });
    expect(stored.toString('utf8')).toBe(TEXT);
  });

  it('that is not UTF-8 is treated as Windows-1252 and stored unchanged', () => {
    expect(decoded(LATIN, size)).toEqual({ stored: LATIN, encoding: 'windows-1252', text: 'windows-1252' });
  });

  it('that ends within a UTF-8 character is treated as Windows-1252', () => {
    expect(decoded(Buffer.from('email\nä').subarray(0, -1), size).encoding).toBe('windows-1252');
  });

  it('with a UTF-8 byte order mark stays UTF-8 whatever follows', () => {
    expect(decoded(Buffer.concat([Buffer.from('\ufeff'), LATIN]), size).encoding).toBe('utf-8');
  });

  it.each([
    ['a workbook', Buffer.from('PK\x03\x04....'), /an Excel workbook or a ZIP archive, not CSV/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel workbook/],
    ['a PDF', Buffer.from('%PDF-1.7 ...'), /a PDF document/],
    ['a gzip archive', Buffer.from('1f8b0800000000', 'hex'), /a gzip archive/],
    ['binary', Buffer.from('email\n\0\x01'), /null bytes/],
    ['UTF-16 without a mark', Buffer.from('email\nada', 'utf16le'), /UTF-16 without a byte order mark/],
    ['UTF-16 with null characters', Buffer.from('\ufeffemail\n\0', 'utf16le'), /null bytes/],
  ])('of %s is refused', (_what, file, message) => {
    expect(() => decoded(file, size)).toThrow(message);
  });
});

it('of no bytes is empty', () => {
  expect(decoded(Buffer.alloc(0))).toEqual({ stored: Buffer.alloc(0), encoding: 'utf-8', text: 'utf-8' });
});
