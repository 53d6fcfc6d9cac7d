import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '@platform/errors';
import { type ReportFacts } from '../report-facts';
import { type RenderedReport } from '../report-shape';
import { RenderThread } from './render-thread';
import { renderReport } from './render-report';

/** Reports that may wait for their turn in one process; each has all that it is made of in memory. */
export const MAX_PENDING = 50;
/** A report takes a tenth of a second, the first one with all that has to be loaded two, on a busy machine some more. */
const TIMEOUT_MS = 60_000;
/** So long after the last report the thread ends. What it held is free again for its process, which may keep the pages. */
const IDLE_MS = 30_000;
const MAX_HEAP_MIB = 256;

/** Where the sources run as they are, in tests, there is no file that a thread could begin with. */
const THREAD = join(__dirname, 'render-worker.js');
const isCompiled = existsSync(THREAD);

/**
 * Makes reports, one after the other, on a thread of their own: what writes and draws them holds its thread up for a tenth of a second
 * and, when it is loaded, for one, while others send mail or answer requests (docs/decisions/0017).
 */
@Injectable()
export class ReportRendererService implements OnModuleDestroy {
  #thread: RenderThread | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #isClosed = false;

  /** @throws SERVICE_UNAVAILABLE while too many others wait, and when the thread ended or did not answer */
  async render(facts: ReportFacts): Promise<RenderedReport> {
    if (this.#pending >= MAX_PENDING) throw unavailable('Too many reports are being made; try again in a minute');
    this.#pending += 1;
    const turn = this.#last.then(() => (isCompiled ? this.#renderOnThread(facts) : renderReport(facts)));
    this.#last = turn.catch(() => null);
    try {
      return await turn;
    } finally {
      this.#pending -= 1;
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#thread?.end();
  }

  async #renderOnThread(facts: ReportFacts): Promise<RenderedReport> {
    if (this.#isClosed) throw unavailable('The process is about to end');
    clearTimeout(this.#idleTimer);
    const thread = this.#getThread();
    try {
      const answer = await thread.render(facts);
      if ('failure' in answer) throw new Error(`A report could not be made: ${answer.failure}`);
      return {
        ...answer.report,
        images: answer.report.images.map((image) => ({ ...image, png: Buffer.from(image.png) })),
      };
    } finally {
      this.#idleTimer = setTimeout(() => void thread.end(), IDLE_MS).unref();
    }
  }

  /** A new one where there is none, or the last one is over. */
  #getThread(): RenderThread {
    if (this.#thread && !this.#thread.isOver) return this.#thread;
    this.#thread = new RenderThread(THREAD, { timeoutMs: TIMEOUT_MS, maxHeapMib: MAX_HEAP_MIB });
    return this.#thread;
  }
}
