import { readFileSync } from 'node:fs';

/** This process was asked to stop; that is no failure. */
export class AbortedError extends Error {}

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by npm. */
const ECHO_MS = 700;

/**
 * Converts signals to one AbortSignal. The first signal requests an orderly end, a second one ends the process at once; the end
 * parent process (its IPC channel closes) counts as the first.
 */
export class Shutdown {
  readonly #controller = new AbortController();
  #askedAt = 0;

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => this.#ask());
    process.once('disconnect', () => this.#ask());
    // The channel reports the end of the parent; it must not keep this process alive.
    process.channel?.unref();
    // Output to a closed terminal or pipe must not prevent the shutdown.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly exitCode = 130;

  /** Ends this process and all processes of its group. */
  end(): never {
    killOwnGroup();
    process.exit();
  }

  #ask(): void {
    const now = Date.now();
    if (this.#askedAt === 0) {
      this.#askedAt = now;
      this.#controller.abort(new AbortedError('stopped'));
    } else if (now - this.#askedAt > ECHO_MS) {
      console.error('stopping at once');
      process.exitCode = this.exitCode;
      this.end();
    }
  }
}

function killOwnGroup(): void {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
    // Only as the group leader: otherwise the group belongs to the terminal or the caller.
    if (group === process.pid) process.kill(-group, 'SIGTERM');
  } catch {
    // Without /proc, children end on their own.
  }
}

/** The result of the work, or AbortedError as soon as the signal aborts. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(new AbortedError('stopped'));
  }
  return new Promise((done, failed) => {
    const abort = (): void => failed(new AbortedError('stopped'));
    signal.addEventListener('abort', abort, { once: true });
    work.then(done, failed).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}
