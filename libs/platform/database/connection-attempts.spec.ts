import { LogService, rootLogger } from '@platform/observability';
import mongoose, { type Connection } from 'mongoose';
import { waitForConnection } from './connection-attempts';

describe('the first connection to MongoDB', () => {
  let lines: Record<string, unknown>[];
  let log: LogService;

  beforeEach(() => {
    lines = [];
    const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
    log = new LogService(rootLogger({ level: 'info', app: 'test', write }));
  });

  /** Succeeds at the attempt with this number. */
  function answeringAt(number: number): { connection: Connection; opened: () => number } {
    let attempts = 0;
    const open = () => (++attempts < number ? Promise.reject(new Error(`refused ${attempts}`)) : connection);
    const connection = { asPromise: async () => open(), openUri: async () => open() } as unknown as Connection;
    return { connection, opened: () => attempts };
  }

  it('is logged only when it fails', async () => {
    const { connection } = answeringAt(1);
    expect(await waitForConnection(connection, ['mongodb://db', () => ({})], log)).toBe(connection);
    expect(lines).toEqual([]);
  });

  it('is retried as often as allowed, and each failure is logged', async () => {
    const { connection } = answeringAt(3);
    await waitForConnection(connection, ['mongodb://db', () => ({})], log, { count: 3, pauseMs: 0 });
    const shared = { level: 'warn', msg: 'MongoDB cannot be reached at the start', of: 3 };
    expect(lines).toMatchObject([
      { ...shared, attempt: 1, reason: 'refused 1' },
      { ...shared, attempt: 2, reason: 'refused 2' },
    ]);
  });

  it('fails after the last attempt with the reason', async () => {
    const { connection, opened } = answeringAt(4);
    const attempts = { count: 3, pauseMs: 0 };
    await expect(waitForConnection(connection, ['mongodb://db', () => ({})], log, attempts)).rejects.toMatchObject({
      name: 'BootError',
      message: 'MongoDB cannot be reached: refused 3',
    });
    expect(opened()).toBe(3);
    expect(lines).toHaveLength(3);
  });

  it('is logged without the password, with the real driver', async () => {
    const uri = 'mongodb://root:canary-password@127.0.0.1:1/lost';
    const options = () => ({ serverSelectionTimeoutMS: 50 });
    const connection = mongoose.createConnection(uri, options());
    await expect(waitForConnection(connection, [uri, options], log, { count: 2, pauseMs: 0 })).rejects.toThrow(
      'ECONNREFUSED',
    );
    expect(lines.map(({ reason }) => reason)).toEqual(Array(2).fill(expect.stringContaining('ECONNREFUSED')));
    expect(JSON.stringify(lines)).not.toMatch(/canary-password|root/);
  });
});
