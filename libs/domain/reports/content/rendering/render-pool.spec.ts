import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { eventually } from '@testing';
import { type ReportFacts } from '../report-facts';
import { RenderPool } from './render-pool';

/** Follows the message; delayed actions run when the channel `now` gets a message. */
const OBEDIENT = `
const { BroadcastChannel, threadId } = require('node:worker_threads');
const now = new BroadcastChannel('now');
exports.render = async ({ workspaceName }) => {
  if (workspaceName === 'hang') await new Promise(() => undefined);
  if (workspaceName === 'exit') process.exit(3);
  if (workspaceName === 'grow') { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }
  if (workspaceName === 'fail later') now.onmessage = () => { throw new Error('Late'); };
  return { failure: workspaceName + ' ' + threadId };
};`;

describe('the render pool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'press-'));
  const file = join(folder, 'obedient.js');
  const pools: RenderPool[] = [];

  beforeAll(() => writeFileSync(file, OBEDIENT));
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    rmSync(folder, { recursive: true });
  });

  function started(timeoutMs = 60_000, idleMs = 60_000): RenderPool {
    const pool = new RenderPool(file, { timeoutMs, maxHeapMib: 32, idleMs });
    pools.push(pool);
    return pool;
  }
  /** The id of the thread. */
  const render = async (pool: RenderPool, workspaceName: string): Promise<string> => {
    const answer = await pool.render({ workspaceName } as ReportFacts);
    return 'failure' in answer ? answer.failure.replace(`${workspaceName} `, '') : '';
  };

  it('starts its thread for the first report, and keeps it for the next one', async () => {
    const pool = started();
    expect(pool.size).toBe(0);
    expect(await render(pool, 'one')).toBe(await render(pool, 'two'));
    expect(pool.size).toBe(1);
  });

  const refusal = (why: string) => ({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining(why) as string,
  });

  it.each(['exit', 'grow'])(
    'reports a thread that ends (%s), and renders the next report on another one',
    async (what) => {
      const pool = started();
      const before = await render(pool, 'one');
      await expect(render(pool, what)).rejects.toMatchObject(refusal('its thread ended'));
      expect(await render(pool, 'two')).not.toBe(before);
    },
  );

  it('ends a thread that exceeds the time limit', async () => {
    const pool = started(2_000);
    const before = await render(pool, 'one');
    await expect(render(pool, 'hang')).rejects.toMatchObject(refusal('it exceeded its time limit'));
    expect(await render(pool, 'two')).not.toBe(before);
  });

  it('survives a thread that fails while idle', async () => {
    const pool = started();
    const before = await render(pool, 'fail later');
    const now = new BroadcastChannel('now');
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- no window: a channel has no origins
    now.postMessage('');
    now.close();
    await eventually('the thread is over', () => pool.size === 0);
    expect(await render(pool, 'two')).not.toBe(before);
  });

  it('frees the memory of a thread that has nothing to do', async () => {
    const pool = started(60_000, 10);
    await render(pool, 'one');
    await eventually('the thread is over', () => pool.size === 0);
  });

  it('rejects a pending report, and every later one, when it is closed', async () => {
    const pool = started();
    const making = render(pool, 'hang');
    await Promise.all([expect(making).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }), pool.close()]);
    await expect(render(pool, 'one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
