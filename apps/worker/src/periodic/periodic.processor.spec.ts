import { type ModuleRef } from '@nestjs/core';
import { type LogService } from '@platform/observability';
import { FakeClock } from '@testing';
import { periodicTasks } from '@domain/assembly';
import { PeriodicProcessor } from './periodic.processor';

const FOREVER = new AbortController().signal;
const NAME = 'lead-resume';
const { timeoutMs } = periodicTasks.find(({ name }) => name === NAME)!;

describe('PeriodicProcessor', () => {
  let clock: FakeClock;
  let logged: string[];
  let work: jest.Mock<Promise<void>, [AbortSignal]>;
  let processor: PeriodicProcessor;

  beforeEach(() => {
    clock = new FakeClock();
    clock.freeze(new Date('2026-05-04T12:00:00Z'));
    logged = [];
    work = jest.fn().mockResolvedValue(undefined);
    const modules = { get: () => ({ resumeDue: (signal: AbortSignal) => work(signal) }) };
    const note = (message: string) => void logged.push(message);
    processor = new PeriodicProcessor(modules as unknown as ModuleRef, clock, {
      warn: note,
      error: note,
    } as unknown as LogService);
  });
  afterEach(() => jest.useRealTimers());

  const run = (task = NAME, signal = FOREVER) => processor.handle({ task }, signal);

  it('runs the task of the table by the service of the worker', async () => {
    await run();
    await run();
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('skips a run while the previous one works, and runs again after its end or failure', async () => {
    let fail = (_error: Error): void => {};
    work.mockReturnValueOnce(new Promise((_resolve, reject) => (fail = reject)));
    const first = run();
    await run();
    expect(work).toHaveBeenCalledTimes(1);
    fail(new Error('the database is away'));
    await expect(first).rejects.toThrow('the database is away');
    await run();
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('starts another run when the previous one does not stop within a minute after its timeout', async () => {
    work.mockReturnValueOnce(new Promise(() => {}));
    void run();
    clock.advance(timeoutMs + 59_000);
    await run();
    expect(work).toHaveBeenCalledTimes(1);
    clock.advance(1_000);
    await run();
    expect(work).toHaveBeenCalledTimes(2);
    expect(logged).toEqual(['A periodic task did not stop at its timeout']);
  });

  it('aborts the work at the timeout of the task', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    work.mockImplementation(
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const ended = run().then(
      () => 'done',
      (error: unknown) => String(error),
    );
    await jest.advanceTimersByTimeAsync(timeoutMs);
    expect(await ended).toContain('The attempt took too long');
  });

  it('skips a task of another release, and says so', async () => {
    await run('no-such-task');
    expect(work).not.toHaveBeenCalled();
    expect(logged).toEqual(['A periodic task of another release was skipped']);
  });
});
