import { Worker } from 'node:worker_threads';
import { unavailable } from '@platform/errors';
import { type ReportFacts } from '../report-facts';
import { type RenderAnswer } from './render-worker';

interface RenderThreadOptions {
  /** Time limit of an answer; then the thread is ended. */
  readonly timeoutMs: number;
  readonly maxHeapMib: number;
}

/** A thread that renders one report at a time. It is over, and accepts no more, once it ends, fails or times out. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #waiting: PromiseWithResolvers<RenderAnswer> | null = null;
  #isOver = false;

  /** @param file the script of the thread (`render-worker`) */
  constructor(file: string, { timeoutMs, maxHeapMib }: RenderThreadOptions) {
    this.#timeoutMs = timeoutMs;
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } });
    this.#worker.on('message', (printed: RenderAnswer) => this.#waiting?.resolve(printed));
    // Handled even when idle: an unhandled error would end the process.
    this.#worker.on('error', (cause) => this.#fail('its thread failed', cause));
    this.#worker.on('exit', () => this.#fail('its thread ended'));
    this.#worker.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** One call at a time. @throws SERVICE_UNAVAILABLE when the thread ends before its answer */
  async render(facts: ReportFacts): Promise<RenderAnswer> {
    const waiting = Promise.withResolvers<RenderAnswer>();
    this.#waiting = waiting;
    const timer = setTimeout(() => this.#fail('it exceeded its time limit'), this.#timeoutMs);
    this.#worker.ref();
    try {
      this.#worker.postMessage(facts, []);
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
      this.#waiting = null;
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  #fail(why: string, cause?: unknown): void {
    this.#waiting?.reject(unavailable(`The report could not be rendered: ${why}`, cause));
    if (!this.#isOver) void this.end();
  }
}
