import { Worker } from 'node:worker_threads';
import { unavailable } from '@platform/errors';
import { type ReportFacts } from '../report-facts';
import { type RenderAnswer } from './render-worker';

interface RenderThreadOptions {
  /** Whoever has not answered by then is ended. */
  readonly timeoutMs: number;
  readonly maxHeapMib: number;
}

/** A thread that makes one report at a time, until it ends, fails or does not answer in time: then it is over and takes no more. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #waiting: PromiseWithResolvers<RenderAnswer> | null = null;
  #isOver = false;

  /** @param file what it runs (`report.thread`) */
  constructor(file: string, { timeoutMs: patienceMs, maxHeapMib }: RenderThreadOptions) {
    this.#timeoutMs = patienceMs;
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } });
    this.#worker.on('message', (printed: RenderAnswer) => this.#waiting?.resolve(printed));
    // Heard also while nobody waits: an error that nobody hears would end the process.
    this.#worker.on('error', (cause) => this.#fail('its thread has failed', cause));
    this.#worker.on('exit', () => this.#fail('its thread has ended'));
    this.#worker.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** One after the other. @throws SERVICE_UNAVAILABLE when it is over before it has answered */
  async render(facts: ReportFacts): Promise<RenderAnswer> {
    const waiting = Promise.withResolvers<RenderAnswer>();
    this.#waiting = waiting;
    const patience = setTimeout(() => this.#fail('it took too long'), this.#timeoutMs);
    this.#worker.ref();
    try {
      this.#worker.postMessage(facts, []);
      return await waiting.promise;
    } finally {
      clearTimeout(patience);
      this.#worker.unref();
      this.#waiting = null;
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  #fail(why: string, cause?: unknown): void {
    this.#waiting?.reject(unavailable(`The report could not be made: ${why}`, cause));
    if (!this.#isOver) void this.end();
  }
}
