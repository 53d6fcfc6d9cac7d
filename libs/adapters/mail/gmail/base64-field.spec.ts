import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { base64Field } from './base64-field';

async function decoded(text: string, field = 'data', size = 7): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return buffer(base64Field(Readable.from(pieces), field));
}

describe('a base64url field of JSON that arrives in chunks', () => {
  it('returns its bytes for any chunk borders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 64 }), async (bytes, size) => {
        const content = Buffer.from(bytes);
        const text = JSON.stringify({
          size: content.length,
          data: content.toString('base64url'),
          more: [{ data: 'x' }],
        });
        expect(await decoded(text, 'data', size)).toEqual(content);
      }),
    );
  });

  it.each([
    ['padding', '{"data":"aGk="}'],
    ['the other alphabet', '{"data": "aGk"}'],
    ['escapes', String.raw`{"da":"\"","x":"data","data":"aG\u006b\u003d"}`],
    ['line breaks', String.raw`{"data":"aG\nk"}`],
    ['a field of the same name further in', '{"a":{"data":"bm8"},"b":["data",{"data":"bm8"}],"data":"aGk"}'],
  ])('handles %s', async (_name, text) => {
    expect((await decoded(text, 'data', 1)).toString()).toBe('hi');
  });

  it('is empty when the field is missing', async () => {
    expect(await decoded('{"size":0}\n')).toHaveLength(0);
    expect(await decoded('{"data":"","size":0}')).toHaveLength(0);
    expect(await decoded('{"data":null,"size":0}')).toHaveLength(0);
  });

  it.each(['', '{"size":12,', '{"data":"aGk', '{"data":'])('fails when the response is truncated: %s', async (text) => {
    await expect(decoded(text)).rejects.toThrow('ended before');
  });
});
