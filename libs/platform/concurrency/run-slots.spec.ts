import { RunSlots } from './run-slots';

const FOREVER = new AbortController().signal;

describe('RunSlots', () => {
  let allowed: number;
  let slots: RunSlots;
  let started: string[];
  let ends: (() => void)[];

  beforeEach(() => {
    [allowed, started, ends] = [2, [], []];
    slots = new RunSlots(() => allowed);
  });

  const run = (owner: string, name: string, signal = FOREVER) =>
    slots.run(owner, signal, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async () => {
    ends.shift()?.();
    await settle();
  };

  it('starts no more runs than allowed', async () => {
    for (const name of ['a', 'b', 'c']) void run('acme', name);
    await settle();
    expect(started).toEqual(['a', 'b']);
    await end();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('prefers the owner with the fewest runs, then the run that waits longest', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void run('acme', name);
    for (const name of ['b1', 'b2']) void run('other', name);
    await settle();
    expect(started).toEqual(['a1', 'a2']);
    for (let index = 0; index < 5; index += 1) await end();
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5']);
  });

  it('starts fewer runs after the limit shrank, and more after it grew', async () => {
    for (const name of ['a', 'b', 'c', 'd']) void run('acme', name);
    await settle();
    allowed = 1;
    await end();
    expect(started).toEqual(['a', 'b']);
    allowed = 3;
    await end();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('frees the slot of a run that throws', async () => {
    allowed = 1;
    const failing = slots.run('acme', FOREVER, () => Promise.reject(new Error('broken')));
    void run('acme', 'next');
    await expect(failing).rejects.toThrow('broken');
    await settle();
    expect(started).toEqual(['next']);
  });

  it('gives up a run whose signal aborts while it waits', async () => {
    allowed = 1;
    void run('acme', 'first');
    const stopping = new AbortController();
    const waiting = run('acme', 'second', stopping.signal);
    void run('acme', 'third');
    await settle();
    stopping.abort(new Error('The worker is stopping'));
    await expect(waiting).rejects.toThrow('The worker is stopping');
    await expect(run('acme', 'fourth', stopping.signal)).rejects.toThrow('The worker is stopping');
    await end();
    expect(started).toEqual(['first', 'third']);
  });
});
