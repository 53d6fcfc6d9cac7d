import { Readable } from 'node:stream';
import { type Request } from 'express';
import { getWay } from './unsubscribe-body';

const way = (...parts: string[]) => getWay(Readable.from(parts.map((part) => Buffer.from(part))) as Request);
const MULTIPART = [
  '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\nContent-Type: text/plain\r\n\r\nOne-Click\r\n--x--',
];

describe('the origin of an unsubscribe request', () => {
  it.each(['List-Unsubscribe=One-Click', 'a=b&list-unsubscribe=one-click', ...MULTIPART])(
    'is a mail program that sends %j',
    async (body) => {
      expect(await way(body)).toBe('one_click');
      expect(await way(...body.split(''))).toBe('one_click');
    },
  );

  it.each(['', 'by=page', 'List-Unsubscribe=Two-Clicks', '{"x":', '\0\xff'])('is a person with %j', async (body) => {
    expect(await way(body)).toBe('page');
  });

  it('is determined by the beginning of the body; the rest is accepted', async () => {
    const body = Readable.from(Array.from({ length: 1_000 }, () => Buffer.alloc(1_000, 'a')));
    expect(await getWay(body as Request)).toBe('page');
    expect(body.destroyed).toBe(false);
  });
});
