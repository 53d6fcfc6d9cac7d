import { setTimeout as pause } from 'node:timers/promises';
import type { Progress } from '../local-services/debian-root.mts';
import type { RunningService } from '../local-services/debian-services.mts';

/** The delay before a restart, so that a service that crashes at once does not overload the machine. */
const PAUSE_MS = 1_000;

/** Keeps a service running: after an unexpected end it is restarted and reported in a line. */
export class KeptAlive {
  readonly #startOne: () => Promise<RunningService>;
  readonly #tell: Progress;
  readonly #stopping = new AbortController();
  #service: RunningService | undefined;
  #restarting: Promise<void> | undefined;

  private constructor(startOne: () => Promise<RunningService>, tell: Progress) {
    this.#startOne = startOne;
    this.#tell = tell;
  }

  static async start(startOne: () => Promise<RunningService>, tell: Progress): Promise<KeptAlive> {
    const kept = new KeptAlive(startOne, tell);
    await kept.#start();
    return kept;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting;
    await this.#service?.stop();
  }

  async #start(): Promise<void> {
    this.#service = await this.#startOne();
    this.#service.onCrash((error) => {
      this.#restarting = this.#restart(error);
    });
  }

  async #restart(crash: Error): Promise<void> {
    this.#service = undefined;
    this.#tell(`mail sandbox: ${firstLine(crash)}; it restarts`);
    try {
      await pause(PAUSE_MS, undefined, { signal: this.#stopping.signal });
      await this.#start();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#tell(`mail sandbox: ${firstLine(error as Error)}; everything else continues without it`);
    }
  }
}

const firstLine = (error: Error): string => error.message.split('\n', 1)[0] ?? '';
