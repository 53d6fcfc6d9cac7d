import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, createWriteStream, type WriteStream } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end and never throws for its exit code; a program that cannot start returns 127. */
export function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<RunResult> {
  return new Promise((done) => {
    execFile(
      command,
      args,
      { cwd: options.cwd, env: options.env, timeout: options.timeoutMs, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
        done({ code, stdout, stderr: stderr || (error && code === 127 ? error.message : '') });
      },
    );
  });
}

/** The full path of a program, as a shell would find it. */
export function onPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Makes the kernel end a child when this process ends in any way; bubblewrap has this built in. */
export function dyingWithParent(command: string, args: string[], signal = 'SIGKILL'): [string, string[]] {
  const setpriv = onPath('setpriv');
  return setpriv ? [setpriv, ['--pdeathsig', signal.replace('SIG', ''), '--', command, ...args]] : [command, args];
}

export interface ServiceCommand {
  name: string;
  command: string;
  args: string[];
  logFile: string;
  /** PostgreSQL waits for its clients on SIGTERM and does not on SIGINT. */
  stopSignal?: NodeJS.Signals;
  /** The command writes bubblewrap's `--info-fd 3`: signals go to the process inside, not to the wrapper. */
  wrapped?: boolean;
}

/** A long-running child with a log file, its last lines, and a limited stop time. */
export class ServiceProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #stopSignal: NodeJS.Signals;
  readonly #log: WriteStream;
  readonly #ended: Promise<void>;
  #tail = '';
  #innerPid: number | undefined;
  #exit: string | undefined;
  #stopping = false;

  constructor(command: ServiceCommand) {
    this.name = command.name;
    this.#stopSignal = command.stopSignal ?? 'SIGTERM';
    this.#log = createWriteStream(command.logFile, { flags: 'a', mode: 0o600 });
    this.#log.on('error', () => {});
    this.#child = spawn(command.command, command.args, {
      stdio: ['ignore', 'pipe', 'pipe', command.wrapped ? 'pipe' : 'ignore'],
      // A separate process group: the terminal's Ctrl-C must not reach a database before its clients have stopped.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk) => this.#hear(chunk));
    if (command.wrapped) this.#readInnerPid(this.#child.stdio[3] as Readable);
    this.#ended = new Promise((done) => {
      this.#child.once('error', (error) => {
        this.#exit = error.message;
        done();
      });
      this.#child.once('exit', (code, signal) => {
        this.#exit = signal ? `signal ${signal}` : `exit code ${code}`;
        done();
      });
    });
  }

  get lastLines(): string {
    return this.#tail.trimEnd().split('\n').slice(-15).join('\n');
  }

  get running(): boolean {
    return this.#exit === undefined;
  }

  /** Throws with the last lines when the process has ended. */
  assertRunning(): void {
    if (this.#exit !== undefined) throw new Error(`${this.name} stopped (${this.#exit})\n${this.lastLines}`);
  }

  onCrash(listener: (error: Error) => void): void {
    void this.#ended.then(() => {
      if (!this.#stopping) listener(new Error(`${this.name} stopped (${this.#exit})\n${this.lastLines}`));
    });
  }

  /** Requests the end, waits, then kills. */
  async stop(graceMs = 8_000): Promise<void> {
    this.#stopping = true;
    if (this.running) {
      this.#signal(this.#stopSignal);
      const timer = setTimeout(() => this.kill(), graceMs);
      await this.#ended;
      clearTimeout(timer);
    }
    this.#log.end();
  }

  kill(): void {
    this.#stopping = true;
    this.#signal('SIGKILL');
    this.#child.kill('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.running) return;
    try {
      if (this.#innerPid) process.kill(this.#innerPid, signal);
      else this.#child.kill(signal);
    } catch {
      // The process ended just before the signal.
    }
  }

  #hear(chunk: Buffer): void {
    this.#log.write(chunk);
    this.#tail = (this.#tail + chunk.toString()).slice(-8_192);
  }

  #readInnerPid(info: Readable): void {
    let text = '';
    info.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      this.#innerPid = Number(/"child-pid":\s*(\d+)/.exec(text)?.[1]) || this.#innerPid;
    });
    info.on('error', () => {});
  }
}
