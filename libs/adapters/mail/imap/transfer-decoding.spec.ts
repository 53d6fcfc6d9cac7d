import fc from 'fast-check';
import { createTransferDecoder } from './transfer-decoding';

function decode(encoding: string, encoded: Buffer, cuts: readonly number[] = []): Buffer {
  const decoder = createTransferDecoder(encoding);
  const borders = [0, ...cuts.map((cut) => cut % (encoded.length + 1)).sort((a, b) => a - b), encoded.length];
  const chunks = borders.slice(1).map((border, index) => decoder.write(encoded.subarray(borders[index], border)));
  return Buffer.concat([...chunks, decoder.end()]);
}

const cuts = fc.array(fc.nat(5_000), { maxLength: 12 });
const bytes = fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array));

describe('Decoding a transfer encoding', () => {
  it('decodes base64 with any chunk borders', () => {
    fc.assert(
      fc.property(bytes, cuts, (content, at) => {
        const lines = content.toString('base64').match(/.{1,76}/g) ?? [];
        expect(decode('base64', Buffer.from(lines.join('\r\n')), at)).toEqual(content);
      }),
    );
  });

  it('decodes quoted-printable with any chunk borders', () => {
    fc.assert(
      fc.property(bytes, cuts, (content, at) => {
        const escaped = [...content].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
        const lines = escaped.join('').match(/.{1,75}/g) ?? [];
        expect(decode('quoted-printable', Buffer.from(lines.join('=\r\n')), at)).toEqual(content);
      }),
    );
  });

  it('returns the same for any text, in chunks or as a whole', () => {
    const text = fc.string({
      unit: fc.constantFrom('=', 'A', '3', 'f', ' ', '\t', '\r', '\n', 'x', '+', '/'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.constantFrom('base64', 'quoted-printable', '7bit'), text, cuts, (encoding, encoded, at) => {
        expect(decode(encoding, Buffer.from(encoded), at)).toEqual(decode(encoding, Buffer.from(encoded)));
      }),
    );
  });

  it('is not slower for adversarial input', () => {
    for (const unit of [' ', '=', '= ', '=\t', '\r', '= \r']) {
      const encoded = Buffer.from(`${unit.repeat(400_000 / unit.length)}x`);
      expect(decode('quoted-printable', encoded, [100_000, 200_000]).length).toBeGreaterThan(0);
      expect(decode('base64', encoded)).toBeDefined();
    }
  }, 5_000);

  it.each([
    ['quoted-printable', 'name;Stra=C3=9Fe', 'name;Straße'],
    ['quoted-printable', 'a =\r\nb  \r\nc=', 'a b\r\nc='],
    ['quoted-printable', '=zz=4', '=zz=4'],
    ['quoted-printable', '==\n33', '=33'],
    ['base64', 'SGVs\r\nbG8=!', 'Hello'],
    ['base64', 'SGVsbG8', 'Hello'],
    ['base64', 'SGVsbG8=\r\nSQ==SGVsbG8=', 'HelloIHello'],
    ['8bit', 'as it is', 'as it is'],
    ['', 'as it is', 'as it is'],
  ])('with %s reads %j as %j', (encoding, encoded, decoded) => {
    expect(decode(encoding, Buffer.from(encoded)).toString()).toBe(decoded);
  });
});
