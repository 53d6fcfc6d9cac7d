import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Batcher } from './batcher';

/** Batches that end when the test completes them. */
class Scripted {
  readonly batches: string[][] = [];
  readonly #answers: (() => void)[] = [];
  readonly batcher: Batcher<string, string>;

  constructor(most = 100, answer: (item: string) => string = (item) => `${item}!`, waitsMs = 0) {
    const work = async (items: readonly string[]) => {
      this.batches.push([...items]);
      await new Promise<void>((done) => this.#answers.push(done));
      return items.map(answer);
    };
    this.batcher = new Batcher(work, most, waitsMs);
  }

  async answer(): Promise<void> {
    await turn();
    this.#answers.shift()?.();
    await turn();
  }
}

describe('Batcher', () => {
  it('combines simultaneous calls in one batch and returns each result to its caller', async () => {
    const scripted = new Scripted();
    const asked = Promise.all(['a', 'b', 'c'].map((item) => scripted.batcher.run(item)));
    await scripted.answer();
    expect(await asked).toEqual(['a!', 'b!', 'c!']);
    expect(scripted.batches).toEqual([['a', 'b', 'c']]);
  });

  it('collects the next batch while one is running', async () => {
    const scripted = new Scripted();
    const first = scripted.batcher.run('a');
    await turn();
    const others = Promise.all([scripted.batcher.run('b'), scripted.batcher.run('c')]);
    await scripted.answer();
    await scripted.answer();
    expect([await first, await others]).toEqual(['a!', ['b!', 'c!']]);
    expect(scripted.batches).toEqual([['a'], ['b', 'c']]);
  });

  it('limits the size of a batch', async () => {
    const scripted = new Scripted(2);
    const asked = Promise.all(['a', 'b', 'c'].map((item) => scripted.batcher.run(item)));
    await scripted.answer();
    await scripted.answer();
    await asked;
    expect(scripted.batches).toEqual([['a', 'b'], ['c']]);
  });

  it('rejects all callers of a failed batch and continues with the next one', async () => {
    const scripted = new Scripted(100, (item) => {
      if (item === 'bad') throw new Error('No');
      return item;
    });
    const failed = Promise.allSettled([scripted.batcher.run('bad'), scripted.batcher.run('good')]);
    await scripted.answer();
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = scripted.batcher.run('good');
    await scripted.answer();
    expect(await again).toBe('good');
  });

  it('runs a batch outside the context of its first caller, because it serves all callers', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const batcher = new Batcher<string, string>((items) => {
      seen.push(request.getStore());
      return Promise.resolve(items);
    }, 100);
    await request.run('of one', async () => {
      expect(await batcher.run('a')).toBe('a');
      expect(request.getStore()).toBe('of one');
    });
    expect(seen).toEqual([undefined]);
  });

  describe('with a wait', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
    afterEach(() => jest.useRealTimers());

    /** Completes a batch of `count` items after `tookMs`. */
    async function after(count: number, tookMs: number): Promise<Scripted> {
      const scripted = new Scripted(100, undefined, 20);
      const asked = Promise.all(Array.from({ length: count }, (_, n) => scripted.batcher.run(String(n))));
      await turn();
      jest.advanceTimersByTime(tookMs);
      await scripted.answer();
      await asked;
      return scripted;
    }

    async function passed(ms: number): Promise<void> {
      jest.advanceTimersByTime(ms);
      await turn();
    }

    it.each([
      ['for half of the duration of the last batch', 10, 5],
      ['at most for its maximum', 1_000, 20],
    ])('waits for more items %s, from the first item on', async (_what, tookMs, waitsMs) => {
      const scripted = await after(2, tookMs);
      const asked = [scripted.batcher.run('a')];
      await turn();
      await passed(waitsMs - 1);
      expect(scripted.batches).toHaveLength(1);
      asked.push(scripted.batcher.run('b'));
      await passed(1);
      expect(scripted.batches.slice(1)).toEqual([['a', 'b']]);
      await scripted.answer();
      expect(await Promise.all(asked)).toEqual(['a!', 'b!']);
    });

    it('does not wait when the last batch had a single item', async () => {
      const scripted = await after(1, 1_000);
      const asked = scripted.batcher.run('a');
      await turn();
      expect(scripted.batches.slice(1)).toEqual([['a']]);
      await scripted.answer();
      expect(await asked).toBe('a!');
    });

    it('does not wait once the batch is full', async () => {
      const scripted = await after(2, 1_000);
      const asked = Promise.all(Array.from({ length: 100 }, (_, n) => scripted.batcher.run(String(n))));
      await turn();
      expect(scripted.batches[1]).toHaveLength(100);
      await scripted.answer();
      await asked;
    });
  });
});
