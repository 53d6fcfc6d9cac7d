import { type GraphClient } from './graph.client';
import { type GraphTime } from './graph-rate-limiter';
import { type GraphItem, getId, getReceivedAt } from './graph-items';
import { getQuery } from './graph-links';
import { type SyncView } from './graph-sync';

const NEWEST = `/me/mailFolders/inbox/messages${getQuery({
  $orderby: 'receivedDateTime desc',
  $select: 'receivedDateTime',
  $top: 1,
})}`;

/**
 * Waits for new mail by looking at the newest message of the inbox: one small request each time. Not at the delta link:
 * Graph keeps a few generations of its state only ("sync state generation is not found"), and each look might use one up.
 */
export class GraphWatch {
  #view: SyncView | null = null;
  /** The newest message when the first look was made without a sync before; undefined until then. */
  #first: string | null | undefined;
  /** Announced already, although no sync may have shown it yet: it is not announced again. */
  #reported: string | null = null;

  constructor(
    private readonly client: GraphClient,
    private readonly time: GraphTime,
    private readonly pollMs: number,
  ) {}

  /** What the last sync of this session saw. */
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
    const id = newest ? getId(newest) : null;
    const isFirst = this.#first === undefined;
    if (isFirst) this.#first = id;
    if (id === null || id === this.#reported) return false;
    const at = newest ? getReceivedAt(newest) : null;
    const isSeen = this.#view && at ? this.#view.knows(id, at) : isFirst || id === this.#first;
    if (!isSeen) this.#reported = id;
    return !isSeen;
  }
}
