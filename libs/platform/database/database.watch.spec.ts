import { type Config } from '@platform/config';
import { Log, rootLogger } from '@platform/observability';
import { type Connection } from 'mongoose';
import { DatabaseWatch } from './database.watch';

describe('DatabaseWatch', () => {
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  let answers: boolean;
  let reachable: boolean;
  let watch: DatabaseWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    kill.mockClear();
    answers = true;
    reachable = true;
    const command = () => (answers ? Promise.resolve({ ok: 1 }) : Promise.reject(new Error('away')));
    const log = new Log(rootLogger({ level: 'silent', app: 'test', write: () => {} }));
    watch = new DatabaseWatch({ db: { command } } as unknown as Connection, {} as Config, log);
    jest.spyOn(watch, 'answersAnew').mockImplementation(() => Promise.resolve(reachable));
    watch.onApplicationBootstrap();
  });
  afterEach(() => {
    watch.onModuleDestroy();
    jest.useRealTimers();
  });

  it('waits as long as it takes while MongoDB is away for everybody', async () => {
    [answers, reachable] = [false, false];
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(kill).not.toHaveBeenCalled();
  });

  it('ends the process, once, when MongoDB has not answered for a minute but answers others', async () => {
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
