import { mapInParallel } from './parallel-map';

describe('mapInParallel', () => {
  it('returns the results in the order of the items, a few at a time', async () => {
    let [running, peak] = [0, 0];
    const results = await mapInParallel([3, 1, 2, 0], 2, async (item) => {
      peak = Math.max(peak, (running += 1));
      for (let step = 0; step < item; step += 1) await new Promise(setImmediate);
      running -= 1;
      return item * 10;
    });
    expect(results).toEqual([30, 10, 20, 0]);
    expect(peak).toBe(2);
  });

  it('starts nothing after a failure', async () => {
    const started: number[] = [];
    const other = Promise.withResolvers<void>();
    const all = mapInParallel([1, 2, 3, 4], 2, async (item) => {
      started.push(item);
      if (item === 2) throw new Error('no');
      await other.promise;
    });
    await expect(all).rejects.toThrow('no');
    other.resolve();
    await new Promise(setImmediate);
    expect(started).toEqual([1, 2]);
  });
});
