import { type Type } from '@nestjs/common';
import { CreditsService } from '@domain/credits';
import { SendResolverService } from '@domain/sending';
import { LogService } from '@platform/observability';
import { periodicTasks } from './periodic-tasks';

/** Runs a task of the table over services of the test. */
function runTask(name: string, services: ReadonlyMap<unknown, object>, signal = new AbortController().signal) {
  const get = <T>(service: Type<T>) => services.get(service) as T;
  return periodicTasks.find((task) => task.name === name)!.run(get, signal);
}

describe('the task credit-expiry', () => {
  const runOver = (expire: (limit: number) => Promise<number>, signal?: AbortSignal) =>
    runTask('credit-expiry', new Map([[CreditsService, { expire }]]), signal);

  it('continues until a batch is not full', async () => {
    const expire = jest.fn().mockResolvedValueOnce(100).mockResolvedValueOnce(100).mockResolvedValueOnce(7);
    await runOver(expire);
    expect(expire.mock.calls).toEqual([[100], [100], [100]]);
  });

  it('stops between two batches when its signal is aborted', async () => {
    const stop = new AbortController();
    const expire = jest.fn().mockImplementation(() => Promise.resolve(stop.abort()).then(() => 100));
    await runOver(expire, stop.signal);
    expect(expire).toHaveBeenCalledTimes(1);
  });

  it('fails when a reservation cannot be released, so that the job is retried', async () => {
    const expire = jest.fn().mockRejectedValue(new Error('broken account'));
    await expect(runOver(expire)).rejects.toThrow('broken account');
  });
});

describe('the task send-resolution', () => {
  it('resolves ambiguous mail, and logs each one that fails', async () => {
    const calls: unknown[] = [];
    type Report = (error: unknown, id: string) => void;
    const resolver = {
      resolve: (_signal: AbortSignal, report: Report) => {
        report(new Error('first'), 'a send');
        return Promise.resolve(report(new Error('second'), 'a reply'));
      },
    };
    const log = {
      error: (_message: string, error: Error, { mailId }: { mailId: string }) => calls.push([error.message, mailId]),
    };
    await runTask(
      'send-resolution',
      new Map<unknown, object>([
        [SendResolverService, resolver],
        [LogService, log],
      ]),
    );
    expect(calls).toEqual([
      ['first', 'a send'],
      ['second', 'a reply'],
    ]);
  });
});
