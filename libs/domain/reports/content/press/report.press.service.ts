import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '@platform/errors';
import { type ReportFacts } from '../report.facts';
import { type RenderedReport } from '../report.shape';
import { printed } from './report.print';
import { type Printed } from './report.thread';

/** Reports that may wait for their turn in one process; each has all that it is made of in memory. */
export const MAX_PENDING = 50;
/** A report takes a tenth of a second, the first one with all that has to be loaded two, on a busy machine some more. */
const PATIENCE_MS = 60_000;
/** So long after the last report the thread ends. What it held is free again for its process, which may keep the pages. */
const REST_MS = 30_000;
const MAX_HEAP_MIB = 256;

/** Where the sources run as they are, in tests, there is no file that a thread could begin with. */
const THREAD = join(__dirname, 'report.thread.js');
const isCompiled = existsSync(THREAD);

/**
 * Makes reports, one after the other, on a thread of their own: what writes and draws them holds its thread up for a tenth of a second
 * and, when it is loaded, for one, while others send mail or answer requests (docs/decisions/0030).
 */
@Injectable()
export class ReportPress implements OnModuleDestroy {
  #thread: Worker | null = null;
  #resting: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** @throws SERVICE_UNAVAILABLE while too many others wait, and when the thread ended or did not answer */
  async print(facts: ReportFacts): Promise<RenderedReport> {
    if (this.#pending >= MAX_PENDING) throw unavailable('Too many reports are being made; try again in a minute');
    this.#pending += 1;
    const turn = this.#last.then(() => (isCompiled ? this.#onThread(facts) : printed(facts)));
    this.#last = turn.catch(() => null);
    try {
      return await turn;
    } finally {
      this.#pending -= 1;
    }
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.#resting);
    await this.#thread?.terminate();
  }

  async #onThread(facts: ReportFacts): Promise<RenderedReport> {
    clearTimeout(this.#resting);
    const thread = (this.#thread ??= this.#started());
    thread.ref();
    try {
      const answer = await asked(thread, facts);
      if ('failure' in answer) throw new Error(`A report could not be made: ${answer.failure}`);
      return {
        ...answer.report,
        images: answer.report.images.map((image) => ({ ...image, png: Buffer.from(image.png) })),
      };
    } finally {
      thread.unref();
      this.#resting = setTimeout(() => void this.#end(thread), REST_MS).unref();
    }
  }

  #started(): Worker {
    const thread = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = null;
    });
    return thread;
  }

  async #end(thread: Worker): Promise<void> {
    if (this.#thread === thread) this.#thread = null;
    await thread.terminate();
  }
}

/** The thread's answer. One that ends, fails or does not answer in time is terminated: the next report gets a new one. */
async function asked(thread: Worker, facts: ReportFacts): Promise<Printed> {
  const { promise, resolve, reject } = Promise.withResolvers<Printed>();
  const lost = (why: string) => (cause: unknown) => reject(unavailable(`The report could not be made: ${why}`, cause));
  const onExit = lost('its thread has ended');
  const onError = lost('its thread has failed');
  const patience = setTimeout(() => {
    void thread.terminate();
    lost('it took too long')(undefined);
  }, PATIENCE_MS);
  thread.once('message', resolve).once('exit', onExit).once('error', onError);
  thread.postMessage(facts, []);
  try {
    return await promise;
  } finally {
    clearTimeout(patience);
    thread.off('message', resolve).off('exit', onExit).off('error', onError);
  }
}
