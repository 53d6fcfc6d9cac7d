import fc from 'fast-check';
import { CrmError } from '../port/crm.errors';
import { toChunks, readInChunks, writeInChunks } from './request-chunks';
import { type BatchOutcome, writeDivided } from './batch-bisect';
import { UnconfirmedWriteError } from './unconfirmed-write.errors';

const ITEMS = [1, 2, 3, 4, 5, 6, 7];
const lost = (item: number, message: string) => `${item} lost: ${message}`;
const limited = () => new CrmError('rate_limited', 'no room');

describe('writing in chunks', () => {
  it('returns one result per item in order, with any concurrency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer()),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (items, size, atOnce) => {
          const run = (piece: readonly number[]) => Promise.resolve(piece.map((item) => `${item}`));
          const results = await writeInChunks(items, { size, atOnce }, run, lost);
          expect(results).toEqual(items.map(String));
          expect(toChunks(items, size).flat()).toEqual(items);
        },
      ),
    );
  });

  it('respects the maximum concurrency', async () => {
    let [now, most] = [0, 0];
    const run = async (piece: readonly number[]) => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return piece;
    };
    await writeInChunks(ITEMS, { size: 1, atOnce: 3 }, run, (item) => item);
    expect(most).toBe(3);
  });

  it('keeps the results before a failure, and reports the others as ambiguous', async () => {
    const run = (piece: readonly number[]) =>
      piece.includes(5) ? Promise.reject(limited()) : Promise.resolve(piece.map(String));
    expect(await writeInChunks(ITEMS, { size: 2, atOnce: 1 }, run, lost)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5 lost: no room',
      '6 lost: no room',
      '7 lost: no room',
    ]);
  });

  it('starts no request after a failure', async () => {
    const begun: number[] = [];
    const run = (piece: readonly number[]) => {
      begun.push(...piece);
      return piece.includes(2) ? Promise.reject(limited()) : Promise.resolve(piece);
    };
    await writeInChunks(ITEMS, { size: 1, atOnce: 1 }, run, (item) => item);
    expect(begun).toEqual([1, 2]);
  });

  it('throws when no request was completed', async () => {
    const run = () => Promise.reject(limited());
    await expect(writeInChunks(ITEMS, { size: 2, atOnce: 2 }, run, lost)).rejects.toMatchObject({
      reason: 'rate_limited',
    });
  });

  it('never throws when a request may have been completed', async () => {
    const run = () => Promise.reject(new UnconfirmedWriteError('timeout', 'no response'));
    const results = await writeInChunks([1, 2], { size: 1, atOnce: 1 }, run, lost);
    expect(results).toEqual(['1 lost: no response', '2 lost: no response']);
  });

  it('ends with the reason of a signal, even after completed chunks', async () => {
    const enough = new Error('enough');
    const run = (piece: readonly number[]) => (piece.includes(3) ? Promise.reject(enough) : Promise.resolve(piece));
    await expect(writeInChunks(ITEMS, { size: 1, atOnce: 1 }, run, (item) => item)).rejects.toBe(enough);
  });

  it('reads in the order of the input, and throws the first failure', async () => {
    const run = ([item = 0]: readonly number[]) => Promise.resolve(item % 2 === 0 ? [] : [item, item]);
    expect(await readInChunks(ITEMS, { size: 1, atOnce: 4 }, run)).toEqual([1, 1, 3, 3, 5, 5, 7, 7]);
    const failing = readInChunks(ITEMS, { size: 1, atOnce: 4 }, () => Promise.reject(limited()));
    await expect(failing).rejects.toMatchObject({ reason: 'rate_limited' });
  });
});

describe('writing in batches that are refused as a whole', () => {
  /** A vendor that accepts a batch only if all its items are valid. */
  const strict = (bad: ReadonlySet<number>, sent: (readonly number[])[] = []) => {
    return (batch: readonly number[]): Promise<BatchOutcome<string>> => {
      sent.push(batch);
      const isBad = batch.some((item) => bad.has(item));
      if (isBad && batch.length > 1) return Promise.resolve('refused');
      return Promise.resolve(batch.map((item) => (isBad ? `${item} refused` : `${item} written`)));
    };
  };

  it('refuses the invalid items and writes all others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 99 })),
        fc.integer({ min: 1, max: 30 }),
        async (bad, size) => {
          const items = Array.from({ length: 100 }, (_, n) => n);
          const results = await writeDivided(items, toChunks(items, size), strict(new Set(bad)), lost);
          expect(results).toEqual(items.map((item) => `${item} ${bad.includes(item) ? 'refused' : 'written'}`));
        },
      ),
    );
  });

  it('needs some fourteen requests for one invalid item among a hundred', async () => {
    const items = Array.from({ length: 100 }, (_, n) => n);
    const sent: (readonly number[])[] = [];
    await writeDivided(items, [items], strict(new Set([42]), sent), lost);
    expect(sent.length).toBeLessThanOrEqual(15);
  });

  it('sends items separately that must not share a batch', async () => {
    const sent: (readonly number[])[] = [];
    const attempt = (batch: readonly number[]): Promise<BatchOutcome<string>> => {
      sent.push(batch);
      return Promise.resolve(batch.map((item) => (batch.includes(3) && item !== 3 ? 'again' : `${item}`)));
    };
    expect(await writeDivided([1, 2, 3], [[1, 2, 3]], attempt, lost)).toEqual(['1', '2', '3']);
    expect(sent).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
  });

  it('keeps completed results when a later batch fails, and throws without any', async () => {
    const attempt = (batch: readonly number[]): Promise<BatchOutcome<string>> =>
      batch.includes(3) ? Promise.reject(limited()) : Promise.resolve(batch.map(String));
    const results = await writeDivided([1, 2, 3, 4], [[1, 2], [3], [4]], attempt, lost);
    expect(results).toEqual(['1', '2', '3 lost: no room', '4 lost: no room']);
    await expect(writeDivided([3], [[3]], attempt, lost)).rejects.toMatchObject({ reason: 'rate_limited' });
  });
});
