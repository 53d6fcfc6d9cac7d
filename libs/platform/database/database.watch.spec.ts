import { Log, rootLogger } from '@platform/observability';
import { type Connection } from 'mongoose';
import { DatabaseWatch } from './database.watch';

describe('DatabaseWatch', () => {
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  let answers: boolean;
  let watch: DatabaseWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    kill.mockClear();
    answers = true;
    const command = () => (answers ? Promise.resolve({ ok: 1 }) : Promise.reject(new Error('away')));
    const log = new Log(rootLogger({ level: 'silent', app: 'test', write: () => {} }));
    watch = new DatabaseWatch({ db: { command } } as unknown as Connection, log);
    watch.onApplicationBootstrap();
  });
  afterEach(() => {
    watch.onModuleDestroy();
    jest.useRealTimers();
  });

  it('ends the process, once, when MongoDB has not answered for a minute', async () => {
    answers = false;
    await jest.advanceTimersByTimeAsync(55_000);
    expect(kill).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
  });

  it('lets it live through shorter absences, however many', async () => {
    for (let absence = 0; absence < 5; absence++) {
      answers = false;
      await jest.advanceTimersByTimeAsync(50_000);
      answers = true;
      await jest.advanceTimersByTimeAsync(10_000);
    }
    expect(kill).not.toHaveBeenCalled();
  });
});
