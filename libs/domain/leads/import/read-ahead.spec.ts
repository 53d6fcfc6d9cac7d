import { setImmediate as turn } from 'node:timers/promises';
import { readAhead } from './read-ahead';

/** Records what is read and whether it was closed. */
class Source {
  readonly made: number[] = [];
  closed = false;

  async *numbers(failsAt = Infinity): AsyncGenerator<number> {
    try {
      for (let number = 0; number < 4; number += 1) {
        await turn();
        if (number === failsAt) throw new Error(`no ${number}`);
        this.made.push(number);
        yield number;
      }
    } finally {
      this.closed = true;
    }
  }
}

describe('reading ahead', () => {
  it('reads one item while the caller processes the one before, and no more', async () => {
    const source = new Source();
    const madeBy: number[][] = [];
    for await (const number of readAhead(source.numbers())) {
      await turn();
      await turn();
      await turn();
      madeBy.push([number, ...source.made]);
    }
    expect(madeBy).toEqual([
      [0, 0, 1],
      [1, 0, 1, 2],
      [2, 0, 1, 2, 3],
      [3, 0, 1, 2, 3],
    ]);
    expect(source.closed).toBe(true);
  });

  it('reports a failure after all items before it were returned', async () => {
    const given: number[] = [];
    const reading = async () => {
      for await (const number of readAhead(new Source().numbers(2))) given.push(number);
    };
    await expect(reading()).rejects.toThrow('no 2');
    expect(given).toEqual([0, 1]);
  });

  it('ends its source when the caller stops, whatever the outcome of a started read', async () => {
    const source = new Source();
    for await (const _number of readAhead(source.numbers(1))) break;
    expect(source.closed).toBe(true);
  });
});
