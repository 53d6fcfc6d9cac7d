import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Batcher } from './batcher';

/** Batches that are answered when the test says so. */
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
  it('combines simultaneous calls in one batch, and returns to each its own result', async () => {
    const scripted = new Scripted();
    const asked = Promise.all(['a', 'b', 'c'].map((item) => scripted.batcher.run(item)));
    await scripted.answer();
    expect(await asked).toEqual(['a!', 'b!', 'c!']);
    expect(scripted.batches).toEqual([['a', 'b', 'c']]);
  });

  it('gathers the next batch while one is being worked on', async () => {
    const scripted = new Scripted();
    const first = scripted.batcher.run('a');
    await turn();
    const others = Promise.all([scripted.batcher.run('b'), scripted.batcher.run('c')]);
    await scripted.answer();
    await scripted.answer();
    expect([await first, await others]).toEqual(['a!', ['b!', 'c!']]);
    expect(scripted.batches).toEqual([['a'], ['b', 'c']]);
  });

  it('makes no batch larger than it may be', async () => {
    const scripted = new Scripted(2);
    const asked = Promise.all(['a', 'b', 'c'].map((item) => scripted.batcher.run(item)));
    await scripted.answer();
    await scripted.answer();
    await asked;
    expect(scripted.batches).toEqual([['a', 'b'], ['c']]);
  });

  it('tells everybody of a batch that it failed, and goes on with the next one', async () => {
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

  it('works outside of what the first who asks is in: a batch is for all of them', async () => {
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

  describe('with patience', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
    afterEach(() => jest.useRealTimers());

    /** A batch of so many was worked on for so long. */
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
      ['half of what the last one took', 10, 5],
      ['no longer than it may', 1_000, 20],
    ])('waits for company %s, counted from its first item on', async (_what, tookMs, waitsMs) => {
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

    it('does not wait when nobody came along the last time', async () => {
      const scripted = await after(1, 1_000);
      const asked = scripted.batcher.run('a');
      await turn();
      expect(scripted.batches.slice(1)).toEqual([['a']]);
      await scripted.answer();
      expect(await asked).toBe('a!');
    });

    it('does not wait for more than a batch may hold', async () => {
      const scripted = await after(2, 1_000);
      const asked = Promise.all(Array.from({ length: 100 }, (_, n) => scripted.batcher.run(String(n))));
      await turn();
      expect(scripted.batches[1]).toHaveLength(100);
      await scripted.answer();
      await asked;
    });
  });
});
