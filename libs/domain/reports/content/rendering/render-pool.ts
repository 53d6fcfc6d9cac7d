import { unavailable } from '@platform/errors';
import { Piscina } from 'piscina';
import { type ReportFacts } from '../report-facts';
import { type RenderAnswer } from './render-worker';

interface RenderPoolOptions {
  /** Time limit of an answer; then the thread is ended. */
  readonly timeoutMs: number;
  readonly maxHeapMib: number;
  /** Idle time after which the thread ends and frees its memory. */
  readonly idleMs: number;
}

/** Renders one report at a time on a thread, which is started on demand and replaced after a failure. */
export class RenderPool {
  readonly #pool: Piscina<ReportFacts, RenderAnswer>;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();

  /** @param file the script of the thread (`render-worker`) */
  constructor(file: string, { timeoutMs, maxHeapMib, idleMs }: RenderPoolOptions) {
    this.#timeoutMs = timeoutMs;
    this.#pool = new Piscina({
      filename: file,
      name: 'render',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      // Rendering waits for other threads, which a thread that waits for its next task would stop.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
    });
    // A thread that fails while idle is replaced; an unhandled event would end the process.
    this.#pool.on('error', () => undefined);
  }

  /** Number of threads: 0 or 1. */
  get size(): number {
    return this.#pool.threads.length;
  }

  /** @throws SERVICE_UNAVAILABLE when the thread ends before its answer */
  async render(facts: ReportFacts): Promise<RenderAnswer> {
    const late = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await this.#pool.run(facts, { signal: AbortSignal.any([late, this.#closing.signal]) });
    } catch (cause) {
      const why = late.aborted ? 'it exceeded its time limit' : 'its thread ended';
      throw unavailable(`The report could not be rendered: ${why}`, cause);
    }
  }

  /** Ends the thread, also during a report, and renders nothing more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.destroy();
  }
}
