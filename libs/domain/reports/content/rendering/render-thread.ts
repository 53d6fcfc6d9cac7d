import { Worker } from 'node:worker_threads';
import { unavailable } from '@platform/errors';
import { type ReportFacts } from '../report-facts';
import { type RenderedReport } from './render-worker';

interface PressThreadOptions {
  /** Whoever has not answered by then is ended. */
  readonly patienceMs: number;
  readonly maxHeapMib: number;
}

/** A thread that makes one report at a time, until it ends, fails or does not answer in time: then it is over and takes no more. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #patienceMs: number;
  #waiting: PromiseWithResolvers<RenderedReport> | null = null;
  #isOver = false;

  /** @param file what it runs (`report.thread`) */
  constructor(file: string, { patienceMs, maxHeapMib }: PressThreadOptions) {
    this.#patienceMs = patienceMs;
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } });
    this.#worker.on('message', (printed: RenderedReport) => this.#waiting?.resolve(printed));
    // Heard also while nobody waits: an error that nobody hears would end the process.
    this.#worker.on('error', (cause) => this.#lose('its thread has failed', cause));
    this.#worker.on('exit', () => this.#lose('its thread has ended'));
    this.#worker.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** One after the other. @throws SERVICE_UNAVAILABLE when it is over before it has answered */
  async print(facts: ReportFacts): Promise<RenderedReport> {
    const waiting = Promise.withResolvers<RenderedReport>();
    this.#waiting = waiting;
    const patience = setTimeout(() => this.#lose('it took too long'), this.#patienceMs);
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

  #lose(why: string, cause?: unknown): void {
    this.#waiting?.reject(unavailable(`The report could not be made: ${why}`, cause));
    if (!this.#isOver) void this.end();
  }
}
