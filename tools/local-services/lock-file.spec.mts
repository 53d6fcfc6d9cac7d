import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock, livingOwner, LockTakenError, processStartTime, waitForLock } from './lock-file.mts';

describe('lock file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const path = (): string => join(folder, 'a.lock');

  it('has one holder, names its owner and is free after release', async () => {
    const lock = await acquireLock(path());
    await expect(acquireLock(path())).rejects.toMatchObject({ pid: process.pid });
    await lock.release();
    await (await acquireLock(path())).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is acquired by exactly one of many processes when it is stale', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    await writeFile(path(), `${child.pid} 1\n`);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => acquireLock(path())));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(LockTakenError);
    expect(await readdir(folder)).toEqual(['a.lock']);
  });

  it('is acquired after the process that was removing it crashed', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    for (const name of [path(), `${path()}.removal`]) await writeFile(name, `${child.pid} 1\n`);
    const lock = await acquireLock(path());
    expect(await readdir(folder)).toEqual(['a.lock']);
    await lock.release();
  });

  it.each([
    ['a living process', `${process.pid} ${processStartTime(process.pid)}`, process.pid],
    ['a pid that another process has now', `${process.pid} 1`, undefined],
    ['content without a pid', 'nonsense', undefined],
    ['nothing', '', undefined],
    ['a process group', '-1', undefined],
  ])('recognises %s', (_what, content, owner) => {
    expect(livingOwner(content)).toBe(owner);
  });

  it('makes a second process wait', async () => {
    const lock = await acquireLock(path());
    const waited: number[] = [];
    const second = waitForLock(path(), (pid) => {
      waited.push(pid);
      void lock.release();
    });
    await (await second).release();
    expect(waited).toEqual([process.pid]);
  });
});
