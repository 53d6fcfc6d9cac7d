import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { dyingWithParent } from '../local-services/processes.mts';

export interface AppOptions {
  name: string;
  script: string;
  env: Record<string, string>;
  logFile: string;
  /** A URL that answers 200 when the application is ready. */
  readyUrl: string;
}

const READY_LIMIT_MS = 60_000;
/** Exceeds the application's own limit (SHUTDOWN_TIMEOUT_SECONDS, 15), which should apply first. */
const STOP_LIMIT_MS = 20_000;
const LONGEST_PAUSE_S = 30;
/** After this time a process counts as healthy: the next crash is the first again. */
const HEALTHY_MS = 60_000;
const LARGEST_LOG = 20_000_000;
const WARNING = 40;
const LEVELS: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

/** Whether a line belongs on the terminal: warnings and errors of the log, and lines that are not log lines. */
export function worthShowing(line: string): boolean {
  if (!line.trim()) return false;
  try {
    const { level } = JSON.parse(line) as { level?: number | string };
    const value = typeof level === 'number' ? level : LEVELS[String(level).toLowerCase()];
    return value === undefined || value >= WARNING;
  } catch {
    return true;
  }
}

/** Seconds to wait before the n-th restart in a row. */
export function pauseBefore(restart: number): number {
  return Math.min(2 ** (restart - 1), LONGEST_PAUSE_S);
}

/** One of the two application processes: starts it, restarts it like a process manager, and stops it. */
export class App {
  readonly options: AppOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #exited: Promise<string> = Promise.resolve('not started');
  #tail: string[] = [];
  #restarts = 0;
  #pause: NodeJS.Timeout | undefined;
  #supervised = false;

  constructor(options: AppOptions) {
    this.options = options;
    mkdirSync(dirname(options.logFile), { recursive: true });
    keepSmall(options.logFile);
    this.#log = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 });
  }

  get lastLines(): string {
    return this.#tail.join('\n');
  }

  /** Starts the process and waits until it is ready. @throws with its last lines when it ends before that */
  async start(signal: AbortSignal): Promise<void> {
    this.#launch();
    let ended: string | undefined;
    void this.#exited.then((how) => (ended = how));
    const deadline = Date.now() + READY_LIMIT_MS;
    while (!(await isReady(this.options.readyUrl))) {
      signal.throwIfAborted();
      const { name, logFile } = this.options;
      if (ended) throw new Error(`${this.lastLines}\n${name} stopped while starting (${ended}); its log is ${logFile}`);
      if (Date.now() > deadline) {
        throw new Error(
          `${this.lastLines}\n${name} was not ready after ${READY_LIMIT_MS / 1000} s; its log is ${logFile}`,
        );
      }
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /** From now on a crash leads to a restart with a growing delay. */
  supervise(): void {
    this.#supervised = true;
    this.#watch();
  }

  async stop(): Promise<void> {
    this.#supervised = false;
    clearTimeout(this.#pause);
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => {
        console.error(`${this.options.name} did not stop within ${STOP_LIMIT_MS / 1000} s and is killed`);
        child.kill('SIGKILL');
      }, STOP_LIMIT_MS);
      await this.#exited;
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.stop();
    await new Promise((done) => this.#log.end(done));
  }

  #launch(): void {
    const [command, args] = dyingWithParent(process.execPath, ['--enable-source-maps', this.options.script], 'SIGTERM');
    // A separate process group: the process is stopped explicitly and in order, not by a signal to the terminal.
    const child = spawn(command, args, {
      env: { ...process.env, ...this.options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    this.#tail = [];
    for (const stream of [child.stdout, child.stderr]) this.#readLines(stream);
    this.#exited = new Promise((done) => {
      child.once('error', (error) => done(error.message));
      child.once('close', (code, signal) => done(signal ? `signal ${signal}` : `exit code ${code}`));
    });
  }

  #readLines(stream: NodeJS.ReadableStream): void {
    let rest = '';
    const take = (line: string): void => {
      this.#tail = [...this.#tail, line].slice(-20);
      this.#log.write(`${line}\n`);
      if (this.#supervised && worthShowing(line)) console.error(`[${this.options.name}] ${line}`);
    };
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(take);
    });
    stream.on('end', () => rest && take(rest));
  }

  #watch(): void {
    const child = this.#child;
    const since = Date.now();
    void this.#exited.then((how) => {
      if (!this.#supervised || this.#child !== child) return;
      if (Date.now() - since > HEALTHY_MS) this.#restarts = 0;
      const seconds = pauseBefore(++this.#restarts);
      console.error(`${this.lastLines}\n${this.options.name} stopped (${how}) and restarts in ${seconds} s`);
      this.#pause = setTimeout(() => {
        this.#launch();
        this.#watch();
      }, seconds * 1000);
    });
  }
}

function keepSmall(logFile: string): void {
  try {
    if (statSync(logFile).size > LARGEST_LOG) renameSync(logFile, `${logFile}.old`);
  } catch {
    // There is no log yet.
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}
