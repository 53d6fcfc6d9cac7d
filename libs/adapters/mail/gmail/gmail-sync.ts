import { mapInParallel } from '@platform/concurrency';
import { type MailChange, type SyncBatch, type SyncRequest } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { MailError } from '../port/mail.errors';
import { isUnclear, toListedChange, toReportedChange } from './gmail-changes';
import { type GmailClient } from './gmail.client';
import { compareByAge, type GmailCursor, parseGmailCursor, formatGmailCursor } from './gmail-cursor';
import { foldHistory, type MessageHistory, type HistoryStep, type Slot, getSteps, getStretch } from './gmail-history';
import { listGmailFolderIds, getListingLabels } from './gmail-labels';
import { GmailMessageInspector, type MessageInspection } from './gmail-message-inspector';
import { isGmailNotFound } from './gmail-failures';
import { type GmailHistory, type GmailMessages, type GmailProfile } from './gmail-resources';

const DEFAULT_ROLES: readonly FolderRole[] = ['inbox', 'promotions', 'junk'];
const MAX_LIMIT = 500;
/** Concurrently requested messages: Gmail allows 250 units per second and user, and a message costs 5. */
const AT_ONCE = 8;
/** Records and messages of one page: Gmail's maximum. */
const PAGE = '500';
/** Maximum pages of history searched for later changes of a message. */
const MAX_PAGES_AHEAD = 20;
/**
 * The search term `after:` may use the sender's clock: the search starts a day earlier, and the time of receipt at Gmail
 * decides.
 */
const SEARCH_MARGIN_S = 86_400;

interface Page {
  readonly steps: readonly HistoryStep[];
  readonly historyId: string;
  readonly nextPageToken: string | undefined;
}

/**
 * Follows Gmail's history. The first time, and when the history has expired, the mailbox is read: its history id is stored before the list
 * is read, so the later history contains all changes in between.
 */
export class GmailSync {
  readonly #inspector: GmailMessageInspector;
  /** The ids of a running read, so that later batches need not list them again. */
  #listing: { readonly of: string; readonly ids: readonly string[] } | null = null;
  #syncedTo: bigint | null = null;

  constructor(private readonly client: GmailClient) {
    this.#inspector = new GmailMessageInspector(client);
  }

  /** The history id of the last complete sync. */
  get syncedTo(): bigint | null {
    return this.#syncedTo;
  }

  async sync(request: SyncRequest): Promise<SyncBatch> {
    const cursor = request.cursor === null ? null : parseGmailCursor(request.cursor);
    if (cursor?.listing) return this.#read(cursor, request);
    const page = cursor && (await this.#page(cursor.historyId, request.signal));
    if (cursor && page) return this.#follow(cursor, page, request);
    const historyId = await this.historyId(request.signal);
    const listing = { since: request.since.getTime(), after: null, isRestart: request.cursor !== null };
    return this.#read({ historyId, done: 0, listing }, request);
  }

  /** The mailbox's current history id. */
  async historyId(signal: AbortSignal | undefined): Promise<string> {
    const { historyId } = await this.client.json<GmailProfile>({ method: 'GET', path: 'profile', signal });
    if (historyId !== undefined && /^\d+$/.test(historyId)) return historyId;
    throw new MailError({ failure: 'temporary', stage: 'request', message: 'Gmail gave no history id' });
  }

  async #follow(cursor: GmailCursor, page: Page, request: SyncRequest): Promise<SyncBatch> {
    const { roles = DEFAULT_ROLES, signal } = request;
    const { steps, historyId, nextPageToken } = page;
    const hasNext = nextPageToken !== undefined;
    const stretch = getStretch(steps, cursor, getLimit(request), { historyId, hasNext });
    const inspections = await this.#inspect(stretch.slots, signal);
    const getInspection = ({ id }: MessageHistory): MessageInspection => inspections.get(id) ?? { kind: 'absent' };
    const changesBy = (history: readonly HistoryStep[]): MailChange[] => {
      const later = new Map(foldHistory(history).map((happened) => [happened.id, happened]));
      return stretch.slots.flatMap(
        (slot) =>
          toReportedChange(slot, getInspection(slot.happened), roles, later.get(slot.happened.id) ?? slot.happened) ??
          [],
      );
    };
    let changes = changesBy(steps);
    const reported = new Set(changes.map(({ ref }) => ref.id));
    const unclear = stretch.slots.filter((slot) => isUnclear(slot, getInspection(slot.happened)));
    if (unclear.some(({ happened }) => !reported.has(happened.id))) {
      changes = changesBy(await this.#historyNow(cursor.historyId, signal));
    }
    if (!stretch.more) this.#syncedTo = BigInt(stretch.historyId);
    const next = formatGmailCursor({ historyId: stretch.historyId, done: stretch.done, listing: null });
    return { changes, cursor: next, more: stretch.more, restarted: [] };
  }

  async #inspect(slots: readonly Slot[], signal: AbortSignal | undefined): Promise<Map<string, MessageInspection>> {
    const ids = [...new Set(slots.filter(({ what }) => what !== 'gone').map(({ happened }) => happened.id))];
    const inspections = await mapInParallel(ids, AT_ONCE, (id) => this.#inspector.at(id, signal));
    return new Map(ids.map((id, index) => [id, inspections[index] as MessageInspection]));
  }

  async #read(cursor: GmailCursor, request: SyncRequest): Promise<SyncBatch> {
    const { roles = DEFAULT_ROLES, signal } = request;
    const { since, after, isRestart } = cursor.listing ?? {
      since: request.since.getTime(),
      after: null,
      isRestart: false,
    };
    const all = await this.#ids(`${cursor.historyId} ${since} ${roles.join()}`, since, roles, signal);
    const waiting = after === null ? all : all.filter((id) => compareByAge(id, after) > 0);
    const ids = waiting.slice(0, getLimit(request));
    const inspections = await mapInParallel(ids, AT_ONCE, (id) => this.#inspector.at(id, signal));
    const changes = ids.flatMap(
      (id, index) => toListedChange(id, inspections[index] as MessageInspection, roles, since) ?? [],
    );
    const more = ids.length < waiting.length;
    if (!more) {
      this.#listing = null;
      this.#syncedTo = BigInt(cursor.historyId);
    }
    const listing = more ? { since, after: ids.at(-1) ?? after, isRestart } : null;
    const next = formatGmailCursor({ historyId: cursor.historyId, done: 0, listing });
    return { changes, cursor: next, more, restarted: isRestart ? listGmailFolderIds(roles) : [] };
  }

  /** Ids of all messages of the roles since then, oldest first. */
  async #ids(
    of: string,
    since: number,
    roles: readonly FolderRole[],
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    if (this.#listing?.of === of) return this.#listing.ids;
    const after = Math.floor(since / 1_000) - SEARCH_MARGIN_S;
    const ids = new Set<string>();
    for (const labels of getListingLabels(roles)) {
      let pageToken: string | undefined;
      do {
        const { messages = [], nextPageToken } = await this.client.json<GmailMessages>({
          method: 'GET',
          path: 'messages',
          query: {
            maxResults: PAGE,
            includeSpamTrash: 'true',
            labelIds: labels,
            ...(after > 0 ? { q: `after:${after}` } : {}),
            ...(pageToken === undefined ? {} : { pageToken }),
          },
          signal,
        });
        for (const { id } of messages) if (id !== undefined) ids.add(id);
        pageToken = nextPageToken;
      } while (pageToken !== undefined);
    }
    this.#listing = { of, ids: [...ids].toSorted(compareByAge) };
    return this.#listing.ids;
  }

  /** The first page with relevant changes after a history id; null when Gmail no longer knows that id. */
  async #page(startHistoryId: string, signal: AbortSignal | undefined, pageToken?: string): Promise<Page | null> {
    let token = pageToken;
    for (;;) {
      let answer: GmailHistory;
      try {
        answer = await this.client.json<GmailHistory>({
          method: 'GET',
          path: 'history',
          query: { startHistoryId, maxResults: PAGE, ...(token === undefined ? {} : { pageToken: token }) },
          signal,
        });
      } catch (error) {
        if (isGmailNotFound(error)) return null;
        throw error;
      }
      const { history = [], nextPageToken, historyId = startHistoryId } = answer;
      if (history.length > 0 || nextPageToken === undefined) {
        return { steps: getSteps(history), historyId, nextPageToken };
      }
      token = nextPageToken;
    }
  }

  /** The current history, after the messages were read. */
  async #historyNow(startHistoryId: string, signal: AbortSignal | undefined): Promise<HistoryStep[]> {
    const steps: HistoryStep[] = [];
    let token: string | undefined;
    for (let pages = 0; pages < MAX_PAGES_AHEAD; pages++) {
      const page: Page | null = await this.#page(startHistoryId, signal, token);
      steps.push(...(page?.steps ?? []));
      token = page?.nextPageToken;
      if (token === undefined) break;
    }
    return steps;
  }
}

function getLimit({ limit }: SyncRequest): number {
  return Math.min(Math.max(1, Math.trunc(limit)), MAX_LIMIT);
}
