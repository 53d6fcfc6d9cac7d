import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { eventually } from '@testing';
import { type ReportFacts } from '../report-facts';
import { RenderThread } from './render-thread';

/** Follows the message; delayed actions run when the channel `now` gets a message. */
const OBEDIENT = `
const { BroadcastChannel, parentPort } = require('node:worker_threads');
const now = new BroadcastChannel('now');
parentPort.on('message', ({ workspaceName }) => {
  if (workspaceName === 'hang') return;
  if (workspaceName === 'exit') process.exit(3);
  if (workspaceName === 'grow') { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }
  parentPort.postMessage({ failure: workspaceName });
  if (workspaceName === 'fail later') now.onmessage = () => { throw new Error('Late'); };
});`;

describe('the render thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'press-'));
  const file = join(folder, 'obedient.js');
  const threads: RenderThread[] = [];

  beforeAll(() => writeFileSync(file, OBEDIENT));
  afterAll(async () => {
    await Promise.all(threads.map((thread) => thread.end()));
    rmSync(folder, { recursive: true });
  });

  function started(timeoutMs = 60_000): RenderThread {
    const thread = new RenderThread(file, { timeoutMs, maxHeapMib: 32 });
    threads.push(thread);
    return thread;
  }
  const answers = (workspaceName: string) => ({ workspaceName }) as ReportFacts;

  it('answers one request after the other', async () => {
    const thread = started();
    await expect(thread.render(answers('one'))).resolves.toEqual({ failure: 'one' });
    await expect(thread.render(answers('two'))).resolves.toEqual({ failure: 'two' });
    expect(thread.isOver).toBe(false);
  });

  it.each([
    ['exceeded its time limit', 'hang', 50],
    ['ended', 'exit', 60_000],
    ['failed', 'grow', 60_000],
  ])('that %s is over, so that it gets no further report', async (why, what, timeoutMs) => {
    const thread = started(timeoutMs);
    const making = thread.render(answers(what));
    await expect(making).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(why) as string,
    });
    expect(thread.isOver).toBe(true);
  });

  it('that fails while idle is over, and its process continues', async () => {
    const thread = started();
    await thread.render(answers('fail later'));
    const now = new BroadcastChannel('now');
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- no window: a channel has no origins
    now.postMessage('');
    now.close();
    await eventually('the thread is over', () => thread.isOver);
  });

  it('rejects a pending request when it is ended', async () => {
    const thread = started();
    const making = thread.render(answers('hang'));
    await Promise.all([expect(making).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }), thread.end()]);
  });
});
