import { KeyedMutex } from './keyed-mutex';

describe('KeyedMutex', () => {
  const gate = () => Promise.withResolvers<void>();

  it('runs the tasks of a key one after the other, in order of arrival', async () => {
    const line = new KeyedMutex();
    const [first, second] = [gate(), gate()];
    const seen: string[] = [];
    const one = line.run('a', async () => {
      seen.push('first begins');
      await first.promise;
      seen.push('first ends');
    });
    const two = line.run('a', async () => {
      seen.push('second begins');
      await second.promise;
    });
    second.resolve();
    await new Promise(setImmediate);
    expect(seen).toEqual(['first begins']);
    first.resolve();
    await Promise.all([one, two]);
    expect(seen).toEqual(['first begins', 'first ends', 'second begins']);
  });

  it('does not block callers of another key', async () => {
    const line = new KeyedMutex();
    const hanging = gate();
    const one = line.run('a', () => hanging.promise);
    expect(await line.run('b', () => Promise.resolve('at once'))).toBe('at once');
    hanging.resolve();
    await one;
  });

  it('continues after a failure, which only the failed caller gets', async () => {
    const line = new KeyedMutex();
    const failing = line.run('a', () => Promise.reject(new Error('no')));
    const next = line.run('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('lets a caller leave the queue, whose work is not begun', async () => {
    const line = new KeyedMutex();
    const hanging = gate();
    const one = line.run('a', () => hanging.promise);
    const leave = new AbortController();
    const work = jest.fn(() => Promise.resolve());
    const leaving = line.run('a', work, leave.signal);
    const last = line.run('a', () => Promise.resolve('last'));
    leave.abort(new Error('enough'));
    await expect(leaving).rejects.toThrow('enough');
    hanging.resolve();
    expect([await one, await last]).toEqual([undefined, 'last']);
    await expect(line.run('a', work, leave.signal)).rejects.toThrow('enough');
    expect([work.mock.calls.length, line.size]).toEqual([0, 0]);
  });

  it('stores nothing for a key after its last task', async () => {
    const line = new KeyedMutex();
    await Promise.all(['a', 'a', 'b'].map((key) => line.run(key, () => Promise.resolve())));
    expect(line.size).toBe(0);
  });
});
