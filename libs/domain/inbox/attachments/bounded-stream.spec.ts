import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limitStream } from './bounded-stream';

const parts = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

it('a bounded stream passes the bytes unchanged', async () => {
  expect((await buffer(await limitStream(parts('ab', 'c'), 3))).toString()).toBe('abc');
  expect(await buffer(await limitStream(parts(), 3))).toHaveLength(0);
});

it('a bounded stream fails beyond the limit, immediately when the first chunk exceeds it', async () => {
  const bounded = await limitStream(parts('ab', 'cd'), 3);
  await expect(buffer(bounded)).rejects.toThrow('larger than 3 bytes');
  await expect(limitStream(parts('abcd'), 3)).rejects.toThrow('larger than 3 bytes');
});

it('a bounded stream fails when its source fails, before or after the first bytes', async () => {
  const broken = (at: number) =>
    Readable.from(
      (async function* () {
        for (let part = 0; part < 9; part += 1) {
          if (part === at) throw new Error('lost');
          yield Buffer.from('x'.repeat(70_000));
        }
      })(),
    );
  await expect(limitStream(broken(0), 1_000_000)).rejects.toThrow('lost');
  await expect(buffer(await limitStream(broken(5), 1_000_000))).rejects.toThrow('lost');
});

it('a bounded stream closes its source when it is closed', async () => {
  const source = parts(...Array.from({ length: 100 }, () => 'x'.repeat(70_000)));
  const closed = new Promise((resolve) => source.once('close', resolve));
  (await limitStream(source, 100_000_000)).destroy();
  await closed;
  expect(source.destroyed).toBe(true);
});
