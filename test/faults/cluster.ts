import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { type Platform } from '../harness';
import { ON_ITS_WAY_MS } from '../harness/invariants-tolerance';
import { PlatformProcess } from './processes';
import { type Chance } from './seeded';

const SHIFTED_CLOCK = join(__dirname, 'shifted-clock.ts');

/** Workers as in production, each a process of its own, that are killed and started again. */
export class Fleet {
  /** How often one of them was killed while it ran. */
  kills = 0;

  private constructor(
    private readonly platform: Platform,
    private readonly workers: readonly PlatformProcess[],
  ) {}

  /** @param different what differs in the environment of each worker */
  static async of(platform: Platform, different: readonly Record<string, string>[]): Promise<Fleet> {
    const workers = different.map((env) => PlatformProcess.of('worker', platform.config, env));
    return new Fleet(platform, await Promise.all(workers));
  }

  /** All of them at once, ready when this resolves, with the platform's clock. */
  async start(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.start(this.#clock())));
  }

  /** kill -9 of one of them, whatever it does, and another one in its place, which is not waited for. */
  async killOne(chance: Chance): Promise<void> {
    const worker = chance.pick(this.workers);
    await this.#kill(worker);
    worker.launch(this.#clock());
  }

  /** kill -9 of all of them; nothing of theirs is on its way any more. */
  async killAll(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.#kill(worker)));
    await pause(ON_ITS_WAY_MS);
  }

  /** Of those that run. */
  get pids(): number[] {
    return this.workers.flatMap(({ pid }) => (pid === null ? [] : [pid]));
  }

  /** All that they have said. */
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
