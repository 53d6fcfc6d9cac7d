import { type MailChange, type SyncBatch, type SyncRequest } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { type GraphClient } from './graph.client';
import { type FolderCursor, type GraphCursor, createCursor, parseGraphCursor, formatGraphCursor } from './graph-cursor';
import { isGraphNotFound, isResync } from './graph.errors';
import { type GraphFolders, isWellKnown, WELL_KNOWN, type WellKnownRole } from './graph-folders';
import { type GraphItem, getGraphId, ITEM_FIELDS, getReceivedAt } from './graph-items';
import { KnownMessageIndex } from './known-message-index';
import { getQuery } from './graph-links';
import { GraphChangeReader } from './graph-change-reader';

/** The state after a sync, for `waitForChange`. */
export interface SyncView {
  /** Whether a message of the inbox needs no further sync. */
  readonly knows: (id: string, receivedAt: Date) => boolean;
}

type Base = Extract<FolderCursor, { phase: 'base' }>;
type Fill = Extract<FolderCursor, { phase: 'fill' }>;
type Delta = Extract<FolderCursor, { phase: 'delta' }>;

const WATCHED: readonly FolderRole[] = ['inbox', 'promotions', 'junk'];

/** Maximum pages of one call, so that a batch takes bounded time even if many entries are skipped. */
const MAX_PAGES = 40;

/** Entries of one page; Graph returns at most 1 000. The first round of a delta query is skipped. */
const MAX_TOP = 1_000;
const BASE_PAGE = 500;

/** Maximum lead of the local clock over the vendor's (milliseconds). */
const CLOCK_MARGIN_MS = 86_400_000;

/**
 * Reports the changes in the watched folders, folder by folder. A delta query (message: delta) has no order, so it cannot return old mail
 * oldest first. Its first round is skipped to obtain its final link, the list of messages is read from `since` on in order of receipt, and
 * then the link is followed. A message that arrives in between is in both; `KnownMessageIndex` recognizes it. The filter of the delta query
 * keeps the first round short (Graph gives at most 5 000 entries then; the list has no such limit).
 */
export class GraphSync {
  constructor(
    private readonly client: GraphClient,
    private readonly folders: GraphFolders,
    private readonly now: () => number,
  ) {}

  async sync(request: SyncRequest): Promise<{ batch: SyncBatch; view: SyncView | null }> {
    const read = request.cursor === null ? createCursor() : parseGraphCursor(this.client.apiUrl, request.cursor);
    const round = new SyncRound(this.client, this.folders, request, read ?? createCursor(), this.now());
    const batch = await round.run(read === null);
    return { batch, view: round.view() };
  }
}

class SyncRound {
  readonly #report: GraphChangeReader;
  readonly #changes: MailChange[] = [];
  readonly #restarted = new Map<WellKnownRole, string>();
  #pages = 0;

  constructor(
    private readonly client: GraphClient,
    private readonly folders: GraphFolders,
    private readonly request: SyncRequest,
    private readonly cursor: GraphCursor,
    private readonly now: number,
  ) {
    this.#report = new GraphChangeReader(client, folders, cursor.known, request.signal);
  }

  async run(isRestart: boolean): Promise<SyncBatch> {
    const roles = (this.request.roles ?? WATCHED).filter(isWellKnown);
    const first = Math.max(
      roles.findIndex((role) => role === this.cursor.at),
      0,
    );
    if (isRestart) for (const role of roles) await this.#restart(role);
    let stoppedAt: WellKnownRole | null = null;
    for (const role of [...roles.slice(first), ...roles.slice(0, first)]) {
      if (await this.#toEnd(role)) continue;
      stoppedAt = role;
      break;
    }
    this.cursor.at = stoppedAt;
    return {
      changes: this.#changes,
      cursor: formatGraphCursor(this.cursor),
      more: stoppedAt !== null,
      restarted: [...this.#restarted.values()],
    };
  }

  view(): SyncView | null {
    const { known, folders } = this.cursor;
    const { inbox } = folders;
    if (!inbox) return null;
    const from = Math.min(Date.parse(inbox.since), Date.parse(inbox.start ?? inbox.since));
    // Kept as text and parsed on demand: a thousand watched mailboxes would have a million entries in memory.
    const text = known.toString();
    return {
      knows: (id, received) => received.getTime() < from || KnownMessageIndex.parse(text)?.get(id) !== undefined,
    };
  }

  get #room(): number {
    return this.request.limit - this.#changes.length;
  }

  /** Reads a folder. @returns whether its end was reached */
  async #toEnd(role: WellKnownRole): Promise<boolean> {
    for (;;) {
      if (this.#room <= 0 || this.#pages >= MAX_PAGES) return false;
      this.#pages += 1;
      const state = this.cursor.folders[role] ?? (await this.#fresh(role));
      if (!state) return true;
      try {
        const { next, ended } = await this.#step(role, state);
        this.cursor.folders[role] = next;
        if (ended) return true;
      } catch (error) {
        const onLink = state.link !== null && (isResync(error) || isGraphNotFound(error));
        // Retry once only, so that a server that loses its state again causes no endless loop.
        if (!onLink || this.#restarted.has(role)) throw error;
        await this.#restart(role);
      }
    }
  }

  #step(role: WellKnownRole, state: FolderCursor): Promise<{ next: FolderCursor; ended: boolean }> {
    if (state.phase === 'base') return this.#passOver(role, state);
    return state.phase === 'fill' ? this.#fill(role, state) : this.#follow(role, state);
  }

  /** Reads the first round of the delta query to obtain its final link. */
  async #passOver(role: WellKnownRole, state: Base): Promise<{ next: FolderCursor; ended: boolean }> {
    // Never a future time, because the filter applies to all later results of the link.
    const from = new Date(Math.min(Date.parse(state.since), this.now - CLOCK_MARGIN_MS));
    const first = `${getMessagesPath(role)}/delta${getQuery({ $filter: `receivedDateTime ge ${seconds(from)}`, ...ITEM_FIELDS })}`;
    const page = await this.#page(state.link ?? first, 'GET /messages/delta', BASE_PAGE);
    const { id, since } = state;
    const start = state.start ?? seconds(page.at);
    if (page.delta === null) return { next: { phase: 'base', id, since, start, link: page.next }, ended: false };
    return { next: { phase: 'fill', id, since, start, link: page.delta, from: since, seen: 0 }, ended: false };
  }

  /** Reads the list by time of receipt, not by page number: a removed message would shift the pages and skip another one. */
  async #fill(role: WellKnownRole, state: Fill): Promise<{ next: FolderCursor; ended: boolean }> {
    const { room, from, seen } = { room: this.#room, ...state };
    // More mail in one second than a page contains (an import): only an offset gets past it.
    const skip = room + seen > MAX_TOP ? seen : 0;
    const top = skip > 0 ? room : room + seen;
    const query = { $filter: `receivedDateTime ge ${from}`, $orderby: 'receivedDateTime', $top: top, ...ITEM_FIELDS };
    const path = `${getMessagesPath(role)}${getQuery(skip > 0 ? { ...query, $skip: skip } : query)}`;
    const { value } = await this.#page(path, 'GET /messages');
    const done: GraphItem[] = [];
    for (const item of value) {
      // If messages of that second were removed meanwhile, the page may contain more new ones than fit.
      if (this.#room <= 0) break;
      this.#take(this.#report.listed(item, role, state, () => this.#room));
      done.push(item);
    }
    const { id, since, start, link } = state;
    if (value.length < top && done.length === value.length) {
      return { next: { phase: 'delta', id, since, start, link }, ended: false };
    }
    const times = done.map((item) => getReceivedAt(item)).filter((time) => time !== null);
    const last = times.length === 0 ? from : seconds(new Date(Math.max(...times.map((time) => time.getTime()))));
    const ofLast = times.filter((time) => seconds(time) === last).length;
    const next = last === seconds(new Date(from)) ? { from, seen: skip + done.length } : { from: last, seen: ofLast };
    return { next: { phase: 'fill', id, since, start, link, ...next }, ended: false };
  }

  /** Reads a page of changes. */
  async #follow(role: WellKnownRole, state: Delta): Promise<{ next: FolderCursor; ended: boolean }> {
    const page = await this.#page(state.link, 'GET /messages/delta', Math.min(this.#room, MAX_TOP));
    // Within a page, oldest first; removals come last.
    const entries = page.value.toSorted((a, b) => order(a) - order(b));
    // One request per incomplete entry; the rate limiter bounds their concurrency.
    const inspected = await Promise.all(entries.map((entry) => this.#report.inspect(entry, role)));
    for (const [index, found] of inspected.entries()) {
      this.#take(this.#report.happened(found, role, state, () => this.#room - (inspected.length - index - 1)));
    }
    const { id, since, start } = state;
    const link = page.next ?? page.delta ?? state.link;
    return { next: { phase: 'delta', id, since, start, link }, ended: page.next === null };
  }

  #take(changes: Iterable<MailChange>): void {
    for (const change of changes) this.#changes.push(change);
  }

  #page(path: string, command: string, maxPageSize?: number) {
    const { signal } = this.request;
    return this.client.page<GraphItem>(path, command, {
      ...(maxPageSize === undefined ? {} : { prefer: `odata.maxpagesize=${maxPageSize}` }),
      ...(signal ? { signal } : {}),
    });
  }

  async #fresh(role: WellKnownRole): Promise<FolderCursor | null> {
    const id = await this.folders.idOf(role, this.request.signal);
    if (id === null) return null;
    const since = seconds(this.request.since);
    return (this.cursor.folders[role] = { phase: 'base', id, since, start: null, link: null });
  }

  async #restart(role: WellKnownRole): Promise<void> {
    this.cursor.known.forget(role);
    const state = await this.#fresh(role);
    if (state) this.#restarted.set(role, state.id);
  }
}

function getMessagesPath(role: WellKnownRole): string {
  return `/me/mailFolders/${WELL_KNOWN[role]}/messages`;
}

/** A time in OData's format; Graph's mail times have whole seconds. */
function seconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function order(entry: GraphItem): number {
  if (entry['@removed'] || getGraphId(entry) === null) return Infinity;
  return getReceivedAt(entry)?.getTime() ?? 0;
}
