import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';

/** Another, living process holds the lock. */
export class LockTakenError extends Error {
  readonly pid: number;
  constructor(path: string, pid: number) {
    super(`${path} is held by process ${pid}`);
    this.name = 'LockHeldError';
    this.pid = pid;
  }
}

export interface Lock {
  release(): Promise<void>;
}

function processFacts(pid: number): { state: string; started: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name is in parentheses and may itself hold spaces: count fields after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return { state: '', started: '' };
  }
}

/**
 * The start time of a process in clock ticks since boot: distinguishes a living owner from a later process with the same
 * pid. Empty without /proc; then the pid alone decides.
 */
export function processStartTime(pid: number): string {
  return processFacts(pid).started;
}

const mine = (): string => `${process.pid} ${processStartTime(process.pid)}\n`;

/** The pid of the lock's holder; undefined when it has ended. */
export function livingOwner(content: string): number | undefined {
  const [pidText, started = ''] = content.trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  const now = processFacts(pid);
  // Killed, but its parent has not collected it yet.
  if (now.state === 'Z') return undefined;
  return started && now.started && started !== now.started ? undefined : pid;
}

/** Acquires the lock file. @throws LockHeldError for a living holder; the lock of a dead one is replaced */
export async function acquireLock(path: string): Promise<Lock> {
  const own = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(own, mine());
  try {
    for (;;) {
      // link() creates the lock with its content in one step, so it is never read empty.
      const linked = await link(own, path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false;
          throw error;
        },
      );
      if (linked) break;
      await removeStale(path);
    }
  } finally {
    await rm(own, { force: true });
  }
  return { release: () => rm(path, { force: true }) };
}

/**
 * Removes the lock of an ended owner. Only the holder of the removal lock may: of two processes that found the same
 * stale lock, the later would otherwise remove a lock taken since.
 */
async function removeStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const removal = await acquireLock(`${path}.removal`).catch((error: unknown) => {
    throw error instanceof LockTakenError ? new LockTakenError(path, error.pid) : error;
  });
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await removal.release();
  }
}

/** False without a lock. @throws LockHeldError when its holder is alive */
async function isStale(path: string): Promise<boolean> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) return false;
  const owner = livingOwner(content);
  if (owner !== undefined) throw new LockTakenError(path, owner);
  return true;
}

/** Waits for the lock; `onWait` is called about every two seconds with the pid of the current holder. */
export async function waitForLock(path: string, onWait: (pid: number) => void, limitMs = 15 * 60_000): Promise<Lock> {
  const deadline = Date.now() + limitMs;
  for (let round = 0; ; round++) {
    try {
      return await acquireLock(path);
    } catch (error) {
      if (!(error instanceof LockTakenError) || Date.now() > deadline) throw error;
      if (round % 10 === 0) onWait(error.pid);
      await new Promise((done) => setTimeout(done, 200));
    }
  }
}
