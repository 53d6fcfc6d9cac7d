import { setImmediate as turn } from 'node:timers/promises';
import { Batcher } from './batcher';

/** Batches that are answered when the test says so. */
class Scripted {
  readonly batches: string[][] = [];
  readonly #answers: (() => void)[] = [];
  readonly batcher: Batcher<string, string>;

  constructor(most = 100, answer: (item: string) => string = (item) => `${item}!`) {
    this.batcher = new Batcher(async (items) => {
      this.batches.push([...items]);
      await new Promise<void>((done) => this.#answers.push(done));
      return items.map(answer);
    }, most);
  }

  async answer(): Promise<void> {
    await turn();
    this.#answers.shift()?.();
    await turn();
  }
}

describe('Batcher', () => {
  it('takes along who asks in the same moment, and gives each its own answer', async () => {
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
});
