import { type MailChange, type MessageFlags, type MessageRef } from '../port/changes';
import { getFingerprint } from '../port/fingerprint';
import { type FolderRole } from '../port/folder';
import { type GraphClient } from './graph.client';
import { GraphError, isGraphNotFound } from './graph.errors';
import { type GraphFolders, type WellKnownRole } from './graph-folders';
import {
  getConversation,
  getCreatedAt,
  getGraphFlags,
  type GraphItem,
  getGraphId,
  isWholeItem,
  ITEM_FIELDS,
  getReceivedAt,
  getSize,
  getGraphSummary,
} from './graph-items';
import { type KnownMessageIndex, hasSameFlags } from './known-message-index';
import { getQuery } from './graph-links';

/** The folder that is being read. */
export interface ReadFolder {
  readonly id: string;
  readonly since: string;
  readonly start: string | null;
}

/** An entry of a delta query with the additionally requested data. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'gone'; readonly id: string }
  /** `role` is its present folder role. */
  | {
      readonly kind: 'item';
      readonly id: string;
      readonly item: GraphItem;
      readonly role: FolderRole | null;
      readonly leftHere: boolean;
    }
  | { readonly kind: 'unreadable'; readonly id: string; readonly reason: string };

const NOTHING: Found = { kind: 'nothing' };

/** Derives changes from Graph's entries by comparing them with earlier reports. */
export class GraphChangeReader {
  constructor(
    private readonly client: GraphClient,
    private readonly folders: GraphFolders,
    private readonly known: KnownMessageIndex,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * A message of a folder's list, which contains complete messages.
   * @param room how many changes beside the first one the batch has room for
   */
  *listed(item: GraphItem, role: WellKnownRole, folder: ReadFolder, room: () => number): Generator<MailChange> {
    const id = getGraphId(item);
    if (id === null) return;
    if (isWholeItem(item)) yield* this.#compare({ id, item, role }, { isNew: true, folder }, room);
    else yield* this.#unreadable(id, 'Graph lists the message without its properties', role, folder);
  }

  /** The change for an entry of a delta query. */
  async inspect(entry: GraphItem, role: WellKnownRole): Promise<Found> {
    const id = getGraphId(entry);
    if (id === null) return NOTHING;
    const isRemoved = entry['@removed'] !== undefined && entry['@removed'] !== null;
    if (!isRemoved && isWholeItem(entry)) return { kind: 'item', id, item: entry, role, leftHere: false };
    const known = this.known.get(id);
    // It left this folder, and its arrival in another one was already reported.
    if (isRemoved && known && known.role !== role) return NOTHING;
    try {
      // Only looking tells: with immutable ids, a message that went away and came back is shown as removed and not shown
      // again (microsoft-graph-docs issue 21752), and a change of the read state is shown without the message.
      const item = await this.#get(id);
      const now = await this.folders.roleOf(String(item.parentFolderId), this.signal);
      return { kind: 'item', id, item, role: now, leftHere: isRemoved && now !== role };
    } catch (error) {
      if (isGraphNotFound(error)) return { kind: 'gone', id };
      const isBroken = error instanceof GraphError && (error.failure === 'permanent' || error.status === 500);
      if (!isBroken) throw error;
      return isRemoved || known ? NOTHING : { kind: 'unreadable', id, reason: error.message };
    }
  }

  /**
   * The changes to report.
   * @param room how many changes beside the first one the batch has room for
   */
  *happened(found: Found, role: WellKnownRole, folder: ReadFolder, room: () => number): Generator<MailChange> {
    if (found.kind === 'nothing') return;
    const { id } = found;
    if (found.kind === 'gone') {
      this.known.delete(id);
      yield { kind: 'gone', ref: { folder: folder.id, id }, role };
    } else if (found.kind === 'unreadable') {
      yield* this.#unreadable(id, found.reason, role, folder);
    } else if (found.leftHere && !this.known.get(id)) {
      // Stored by the caller, but too old for the index here.
      yield this.#toRelocation(found);
      this.#remember(found);
    } else {
      yield* this.#compare(found, { isNew: isNew(found.item, folder), folder }, room);
    }
  }

  *#compare(
    found: { id: string; item: GraphItem; role: FolderRole | null },
    { isNew, folder }: { isNew: boolean; folder: ReadFolder },
    room: () => number,
  ): Generator<MailChange> {
    const before = this.known.get(found.id);
    const { item, role } = found;
    const flags = getGraphFlags(item);
    const ref = toRef(found);
    if (!before) {
      this.#remember(found);
      yield isNew ? toNewMessage(found, folder) : { kind: 'flags', ref, role, flags };
      return;
    }
    const hasNewFolder = before.role !== role;
    this.#remember(found);
    if (hasNewFolder) yield this.#toRelocation(found);
    if (hasSameFlags(before.flags, flags)) return;
    if (!hasNewFolder || room() > 0) yield { kind: 'flags', ref, role, flags };
    // The batch has no room for a second change: it is reported with the next change of the message.
    else this.#remember(found, before.flags);
  }

  *#unreadable(id: string, reason: string, role: WellKnownRole, folder: ReadFolder): Generator<MailChange> {
    if (this.known.get(id)) return;
    const flags = { seen: false, answered: false, flagged: false, draft: false };
    this.known.set(id, { receivedAt: new Date(folder.start ?? folder.since), role, flags });
    yield { kind: 'unreadable', ref: { folder: folder.id, id }, role, reason };
  }

  #toRelocation(found: { id: string; item: GraphItem; role: FolderRole | null }): MailChange {
    return { kind: 'moved', ref: toRef(found), role: found.role };
  }

  #remember({ id, item, role }: { id: string; item: GraphItem; role: FolderRole | null }, flags?: MessageFlags): void {
    this.known.set(id, { receivedAt: getReceivedAt(item) ?? new Date(0), role, flags: flags ?? getGraphFlags(item) });
  }

  async #get(id: string): Promise<GraphItem> {
    const { body } = await this.client.json<GraphItem | null>({
      method: 'GET',
      path: `/me/messages/${encodeURIComponent(id)}${getQuery(ITEM_FIELDS)}`,
      command: 'GET /messages/{id}',
      repeatable: true,
      ...(this.signal ? { signal: this.signal } : {}),
    });
    if (body && isWholeItem(body)) return body;
    throw new GraphError({
      failure: 'permanent',
      stage: 'request',
      message: 'Graph returns the message without its properties',
    });
  }
}

/**
 * Whether an unknown message is reported as new. It is when it may be new here: received or created since the read of the folder began, or
 * moved in from an unwatched folder. A message older than requested never is.
 */
function isNew(item: GraphItem, { since, start }: ReadFolder): boolean {
  const from = Math.min(Date.parse(since), Date.parse(start ?? since));
  const times = [getReceivedAt(item), getCreatedAt(item)];
  return times.some((time) => time !== null && time.getTime() >= from);
}

function toNewMessage(
  { id, item, role }: { id: string; item: GraphItem; role: FolderRole | null },
  folder: ReadFolder,
): MailChange {
  const summary = getGraphSummary(item);
  const size = getSize(item);
  return {
    kind: 'message',
    ref: toRef({ id, item }),
    role,
    fingerprint: getFingerprint(summary, size),
    receivedAt: getReceivedAt(item) ?? new Date(folder.since),
    size,
    flags: getGraphFlags(item),
    summary,
    threadId: getConversation(item),
  };
}

function toRef({ id, item }: { id: string; item: GraphItem }): MessageRef {
  return { folder: String(item.parentFolderId), id };
}
