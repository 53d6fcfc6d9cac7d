import { type GraphClient } from './graph.client';
import { type GraphTime } from './graph-time';
import { type GraphItem, getGraphId, getReceivedAt } from './graph-items';
import { getQuery } from './graph-links';
import { type SyncView } from './graph-sync';

const NEWEST = `/me/mailFolders/inbox/messages${getQuery({
  $orderby: 'receivedDateTime desc',
  $select: 'receivedDateTime',
  $top: 1,
})}`;

/**
 * Waits for new mail by polling the newest message of the inbox with one small request. The delta link is unsuitable: Graph stores only a
 * few generations of its state ("sync state generation is not found"), and each poll might use one.
 */
export class GraphWatch {
  #view: SyncView | null = null;
  /** The newest message at the first poll without an earlier sync; undefined until then. */
  #first: string | null | undefined;
  /** Already reported, even if no sync has returned it yet: it is not reported again. */
  #reported: string | null = null;

  constructor(
    private readonly client: GraphClient,
    private readonly time: GraphTime,
    private readonly pollMs: number,
  ) {}

  /** The state after the last sync of this session. */
  saw(view: SyncView | null): void {
    if (view) this.#view = view;
  }

  async wait(atMostMs: number, signal: AbortSignal): Promise<boolean> {
    const until = this.time.now() + atMostMs;
    try {
      for (;;) {
        signal.throwIfAborted();
        if (await this.#poll(signal)) return true;
        const left = until - this.time.now();
        if (left <= 0) return false;
        await this.time.wait(Math.min(this.pollMs, left), signal);
      }
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  async #poll(signal: AbortSignal): Promise<boolean> {
    const { value } = await this.client.page<GraphItem>(NEWEST, 'GET /messages', { signal });
    const newest = value[0];
    const id = newest ? getGraphId(newest) : null;
    const isFirst = this.#first === undefined;
    if (isFirst) this.#first = id;
    if (id === null || id === this.#reported) return false;
    const at = newest ? getReceivedAt(newest) : null;
    const isKnown = this.#view && at ? this.#view.knows(id, at) : isFirst || id === this.#first;
    if (!isKnown) this.#reported = id;
    return !isKnown;
  }
}
