import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Config } from '@platform/config';
import { ApiClient } from '@testing';
import { createEnvironment } from '../harness/environment';
import { isEventually } from '../harness/sending';

const ROOT = join(__dirname, '../..');
/** Several processes start in parallel, on a busy machine. */
const READY_WITHIN_MS = 60_000;

/** A built process of the platform, run as in production, for tests that kill it. */
export class PlatformProcess {
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(
    private readonly app: 'api' | 'worker',
    private readonly env: Record<string, string>,
    private readonly port: number,
  ) {}

  /** Not started yet; it keeps its port across restarts. */
  static async of(app: 'api' | 'worker', config: Config, env: Record<string, string> = {}): Promise<PlatformProcess> {
    const port = await freePort();
    const ports: Record<string, string> = { [app === 'api' ? 'API_PORT' : 'WORKER_PORT']: `${port}` };
    return new PlatformProcess(app, { ...createEnvironment(config), LOG_LEVEL: 'info', ...ports, ...env }, port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get api(): ApiClient {
    return ApiClient.at(this.url);
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** null while the process does not run. */
  get pid(): number | null {
    return this.isRunning ? (this.#child?.pid ?? null) : null;
  }

  get output(): string {
    return this.#output;
  }

  /** Starts the process without waiting until it is ready; `more` replaces settings of its environment from now on. */
  launch(more: Record<string, string> = {}): ChildProcess {
    Object.assign(this.env, more);
    const child = spawn(process.execPath, [`dist/apps/${this.app}/src/main.js`], { cwd: ROOT, env: this.env });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    return child;
  }

  async start(more: Record<string, string> = {}): Promise<void> {
    const child = this.launch(more);
    const isReady = async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${this.app} ended: ${this.#output}`);
      return (await this.api.get('/health/ready').catch(() => ({ status: 0 }))).status === 200;
    };
    if (!(await isEventually(isReady, READY_WITHIN_MS)))
      throw new Error(`${this.app} did not become ready: ${this.#output}`);
  }

  /** Sends the signal and resolves with the exit code once the process has ended; null if the signal killed it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }
}

/** Below the kernel’s range of ephemeral ports: a process keeps its port while it is down. */
const PORTS = { from: 10_000, to: 20_000 };

/** A port that is free now; it is not reserved. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = randomInt(PORTS.from, PORTS.to);
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
