import { randomBytes } from 'node:crypto';
import { badRequest, errorReply, GraphRefusal, type GraphReply } from './graph-answers';
import { type GraphMailbox, type LeadEventType, type StoredMessage } from './graph-mailbox';
import { getFilter, type Shown, shownMessage, getShown } from './graph-query';

/** The meaning of a token: a position in a round (`left` are the remaining entries), or the end of a round. */
interface DeltaState {
  readonly folder: string;
  readonly shown: Shown;
  readonly matches: (message: StoredMessage) => boolean;
  /** Number of events that the round covers. */
  readonly upTo: number;
  /** null at the end of a round: the next one starts on request. */
  readonly left: readonly Entry[] | null;
}

type Entry = { readonly id: string; readonly as: 'whole' | 'read' | 'removed' };

/** `message: delta` of one folder. */
export function answerDelta(
  mailbox: GraphMailbox,
  api: string,
  folder: string,
  query: URLSearchParams,
  pageSize: number,
): GraphReply {
  const token = query.get('$skiptoken') ?? query.get('$deltatoken');
  const state = token === null ? firstRound(mailbox, folder, query) : stateOf(mailbox, token);
  const upTo = state.left === null ? mailbox.happenings.length : state.upTo;
  const entries = state.left ?? changesSince(mailbox, state);
  const value = entries.slice(0, pageSize).flatMap((entry) => shownEntry(mailbox, entry, state) ?? []);
  const left = entries.slice(pageSize);
  const isLast = left.length === 0;
  const id = randomBytes(12).toString('base64url');
  mailbox.deltaTokens.set(id, { ...state, upTo, left: isLast ? null : left } satisfies DeltaState);
  // The link names the folder in the other OData form, as in Graph.
  const link = `${api}/me/mailfolders('${state.folder}')/messages/delta?${isLast ? '$deltatoken' : '$skiptoken'}=${id}`;
  return { status: 200, body: { [isLast ? '@odata.deltaLink' : '@odata.nextLink']: link, value } };
}

/** All messages in an order that clients must not rely on: newest first. */
function firstRound(mailbox: GraphMailbox, folder: string, query: URLSearchParams): DeltaState {
  if (query.has('$search') || (query.has('$orderby') && query.get('$orderby') !== 'receivedDateTime desc')) {
    throw badRequest('ErrorInvalidUrlQuery', 'The query is not supported with change tracking.');
  }
  const matches = getFilter(query);
  const there = mailbox.in(folder).filter((message) => matches(message));
  return {
    folder: mailbox.folder(folder).id,
    shown: getShown(query),
    matches,
    upTo: mailbox.happenings.length,
    // With a filter, Graph returns a limited number.
    left: there
      .toReversed()
      .slice(0, query.has('$filter') ? 5_000 : undefined)
      .map(({ id }) => ({ id, as: 'whole' })),
  };
}

function stateOf(mailbox: GraphMailbox, token: string): DeltaState {
  const state = mailbox.deltaTokens.get(token) as DeltaState | undefined;
  if (state) return state;
  const message = 'The sync state generation is not found; generation=149;[highest=157][157][155][156].';
  throw new GraphRefusal(errorReply(410, 'SyncStateNotFound', message));
}

function changesSince(mailbox: GraphMailbox, state: DeltaState): Entry[] {
  const byMessage = new Map<string, LeadEventType['kind'][]>();
  for (const { folder, id, kind } of mailbox.happenings.slice(state.upTo)) {
    if (folder !== state.folder) continue;
    const kinds = byMessage.get(id) ?? [];
    byMessage.delete(id); // in the order of their last events
    byMessage.set(id, [...kinds, kind]);
  }
  return [...byMessage].flatMap(([id, kinds]) => entryOf(mailbox, state, id, kinds) ?? []);
}

function entryOf(mailbox: GraphMailbox, state: DeltaState, id: string, kinds: LeadEventType['kind'][]): Entry | null {
  // Once it has left, it is reported as removed even if it returned: microsoft-graph-docs issue 21752.
  if (kinds.includes('left')) return { id, as: 'removed' };
  const message = mailbox.messages.get(id);
  if (kinds.every((kind) => kind === 'read')) return { id, as: 'read' };
  return message && state.matches(message) ? { id, as: 'whole' } : null;
}

function shownEntry(mailbox: GraphMailbox, { id, as }: Entry, { folder, shown }: DeltaState): object | null {
  // Moves and deletions look alike.
  if (as === 'removed') return { '@odata.type': '#microsoft.graph.message', id, '@removed': { reason: 'deleted' } };
  const message = mailbox.messages.get(id);
  if (!message || message.folder !== folder) return null;
  const parent = { parentFolderId: message.folder };
  return as === 'read' ? { id, isRead: message.isRead, ...parent } : shownMessage(message, shown);
}
