import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcceptedLog, parseAccepted, type AcceptedMail, type LogFile } from './accepted-log.mts';

const mail = (queueId: string): AcceptedMail => ({
  time: '2026-01-01T00:00:00.000Z',
  queueId,
  user: 'u',
  from: 'a@x.test',
  to: ['b@x.test'],
  messageId: '<1@x>',
  subject: 's',
  size: 3,
  answered: true,
  placed: { 'b@x.test': 'spam' },
});

/** A disk whose sync the test completes. */
function slowDisk(): { file: LogFile; written: string[]; syncs: { finish: () => void; fail: (e: Error) => void }[] } {
  const written: string[] = [];
  const syncs: { finish: () => void; fail: (error: Error) => void }[] = [];
  const file = {
    appendFile: (text: string) => Promise.resolve(void written.push(text)),
    datasync: () => new Promise<void>((finish, fail) => syncs.push({ finish, fail })),
    close: () => Promise.resolve(),
  };
  return { file, written, syncs };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('the log of accepted mail', () => {
  it('confirms a line after its sync, with one sync for all waiting lines', async () => {
    const { file, written, syncs } = slowDisk();
    const log = new AcceptedLog(file);
    const done: string[] = [];
    const append = (id: string): void => void log.append(mail(id)).then(() => done.push(id));
    append('1');
    await settled();
    append('2');
    append('3');
    await settled();
    expect(done).toEqual([]);
    expect(syncs).toHaveLength(1);
    syncs[0]!.finish();
    await settled();
    expect(done).toEqual(['1']);
    expect(written[1]!.trim().split('\n')).toHaveLength(2);
    syncs[1]!.finish();
    await settled();
    expect(done).toEqual(['1', '2', '3']);
    expect(syncs).toHaveLength(2);
  });

  it('rejects all waiting callers when the disk fails, and continues with the next line', async () => {
    const { file, syncs } = slowDisk();
    const log = new AcceptedLog(file);
    const first = log.append(mail('1'));
    await settled();
    syncs[0]!.fail(new Error('disk full'));
    await expect(first).rejects.toThrow('disk full');
    const second = log.append(mail('2'));
    await settled();
    syncs[1]!.finish();
    await expect(second).resolves.toBeUndefined();
  });

  it('keeps the lines of an earlier run, also after a line truncated by a crash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'accepted-'));
    const path = join(folder, 'accepted.jsonl');
    await writeFile(path, `${JSON.stringify(mail('1'))}\n{"time":"2026`);
    const log = await AcceptedLog.open(path);
    await log.append(mail('2'));
    await log.close();
    expect(parseAccepted(await readFile(path, 'utf8')).map(({ queueId }) => queueId)).toEqual(['1', '2']);
    await rm(folder, { recursive: true });
  });

  it('reads a line without a placement as mail in the inbox', () => {
    const { placed: _placed, ...line } = mail('1');
    expect(parseAccepted(`${JSON.stringify(line)}\n${JSON.stringify(mail('2'))}`).map(({ placed }) => placed)).toEqual([
      {},
      { 'b@x.test': 'spam' },
    ]);
  });
});
