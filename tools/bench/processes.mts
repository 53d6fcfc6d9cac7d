import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dyingWithParent } from '../local-services/processes.mts';
import { connectionsTo } from './sockets.mts';

const root = join(import.meta.dirname, '..', '..');
const READY_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
const SETTLE_MS = 3_000;
/** Arguments of Node that `settledMib` needs. */
export const settling = ['--expose-gc', '--import', './tools/bench/settle.mjs'];
/** Unit of the times in /proc: USER_HZ, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

export interface ServerOptions {
  name: string;
  /** Path from the root of the repository. */
  script: string;
  nodeArgs?: string[];
  env: Record<string, string>;
  port: number;
  /** A path that answers 200 when the server is ready. */
  readyPath: string;
}

/** One server under test in a separate process. */
export class Server {
  readonly url: string;
  readonly #options: ServerOptions;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #complaints = '';

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.url = `http://127.0.0.1:${options.port}`;
    const script = join(root, options.script);
    const [command, args] = dyingWithParent(process.execPath, [...(options.nodeArgs ?? []), script], 'SIGTERM');
    // Log lines are written as in production and discarded: a pipe would be work for the measuring process.
    this.#child = spawn(command, args, { cwd: root, env: options.env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#complaints += chunk.toString()));
    this.#exited = new Promise((done) => {
      this.#child.once('close', done);
      this.#child.once('error', done);
    });
  }

  static async start(options: ServerOptions): Promise<Server> {
    const server = new Server(options);
    const deadline = Date.now() + READY_LIMIT_MS;
    while (!(await answers(server.url + options.readyPath))) {
      if (server.#hasEnded || Date.now() > deadline) {
        await server.stop();
        throw new Error(`${options.name} did not start: ${server.#complaints.trim() || 'no answer in 30 s'}`);
      }
      await pause(100);
    }
    return server;
  }

  /** CPU time that the process has used so far, user and system, in milliseconds (exact to 10). */
  cpuMs(): number {
    // After the name in parentheses, which may contain spaces: utime and stime are fields 14 and 15 of proc(5).
    const stat = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    const [userTicks, systemTicks] = stat.split(' ').slice(11, 13);
    return (Number(userTicks) + Number(systemTicks)) * MS_PER_TICK;
  }

  /** Resident memory in MiB, as `ps` and `docker stats` show it. */
  residentMib(): number {
    return this.#statusMib('VmRSS');
  }

  /** Maximum resident memory in MiB. The kernel records it, so that no peak is missed. */
  peakMib(): number {
    return this.#statusMib('VmHWM');
  }

  /** Resident memory in MiB after a garbage collection; the process must have been started with `settling`. */
  async settledMib(): Promise<number> {
    this.signal('SIGUSR2');
    await pause(SETTLE_MS);
    return this.residentMib();
  }

  /** Open TCP connections of the process to a port of this machine. */
  connectionsTo(port: number): number {
    return connectionsTo(this.#pid, port);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #statusMib(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  }

  get #hasEnded(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get #pid(): number {
    if (this.#hasEnded) throw new Error(`${this.#options.name} has ended: ${this.#complaints.trim()}`);
    return this.#child.pid ?? 0;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}
