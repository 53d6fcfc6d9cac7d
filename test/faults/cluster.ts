import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { type Platform } from '../harness';
import { ON_ITS_WAY_MS } from '../harness/invariants-tolerance';
import { PlatformProcess } from './processes';
import { type Chance } from './seeded';

const SHIFTED_CLOCK = join(__dirname, 'shifted-clock.ts');

/** Worker processes as in production, which tests kill and restart. */
export class Fleet {
  /** Number of kills of a running worker. */
  kills = 0;

  private constructor(
    private readonly platform: Platform,
    private readonly workers: readonly PlatformProcess[],
  ) {}

  /** @param different settings that differ in the environment of each worker */
  static async of(platform: Platform, different: readonly Record<string, string>[]): Promise<Fleet> {
    const workers = different.map((env) => PlatformProcess.of('worker', platform.config, env));
    return new Fleet(platform, await Promise.all(workers));
  }

  /** Starts all of them in parallel, with the platform’s clock; resolves when they are ready. */
  async start(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.start(this.#clock())));
  }

  /** Kills one of them with SIGKILL at any point and starts another, without waiting for it. */
  async killOne(chance: Chance): Promise<void> {
    const worker = chance.pick(this.workers);
    await this.#kill(worker);
    worker.launch(this.#clock());
  }

  /** Kills all of them with SIGKILL; none of their work continues. */
  async killAll(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.#kill(worker)));
    await pause(ON_ITS_WAY_MS);
  }

  /** Process ids of the running workers. */
  get pids(): number[] {
    return this.workers.flatMap(({ pid }) => (pid === null ? [] : [pid]));
  }

  /** Output of all of them. */
  get output(): string {
    return this.workers.map(({ output }) => output).join('\n');
  }

  async #kill(worker: PlatformProcess): Promise<void> {
    if (worker.isRunning) this.kills += 1;
    await worker.end('SIGKILL');
  }

  #clock(): Record<string, string> {
    const ahead = Math.round(this.platform.clock.aheadMs);
    return { NODE_OPTIONS: `--require=${SHIFTED_CLOCK}`, SHIFTED_CLOCK_MS: String(ahead) };
  }
}
