import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '@platform/errors';
import pLimit from 'p-limit';
import { type ReportFacts } from '../report-facts';
import { type RenderedReport } from '../report-shape';
import { RenderPool } from './render-pool';
import { renderReport } from './render-report';

/** Reports that may wait in one process; each holds all its data in memory. */
export const MAX_PENDING = 50;
/** A report takes a tenth of a second, the first one two seconds for loading, more on a busy machine. */
const TIMEOUT_MS = 60_000;
/** Idle time after which the thread ends and frees its memory. */
const IDLE_MS = 30_000;
const MAX_HEAP_MIB = 256;

/** Uncompiled sources, as in tests, have no file for a thread. */
const THREAD = join(__dirname, 'render-worker.js');
const isCompiled = existsSync(THREAD);

/**
 * Renders reports one by one on a separate thread: rendering blocks its thread for a tenth of a second, loading for
 * one second, while others send mail or answer requests (docs/decisions/0017).
 */
@Injectable()
export class ReportRendererService implements OnModuleDestroy {
  readonly #pool = new RenderPool(THREAD, { timeoutMs: TIMEOUT_MS, maxHeapMib: MAX_HEAP_MIB, idleMs: IDLE_MS });
  readonly #limit = pLimit(1);

  /** @throws SERVICE_UNAVAILABLE while too many reports wait, and when the thread ended or timed out */
  async render(facts: ReportFacts): Promise<RenderedReport> {
    if (this.#limit.activeCount + this.#limit.pendingCount >= MAX_PENDING) {
      throw unavailable('Too many reports are being rendered; try again in a minute');
    }
    return this.#limit(() => (isCompiled ? this.#renderOnThread(facts) : renderReport(facts)));
  }

  async onModuleDestroy(): Promise<void> {
    await this.#pool.close();
  }

  async #renderOnThread(facts: ReportFacts): Promise<RenderedReport> {
    const answer = await this.#pool.render(facts);
    if ('failure' in answer) throw new Error(`A report could not be rendered: ${answer.failure}`);
    return {
      ...answer.report,
      images: answer.report.images.map((image) => ({ ...image, png: Buffer.from(image.png) })),
    };
  }
}
