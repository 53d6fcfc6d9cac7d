import { isFlagLabel, isPlaceLabel } from './gmail-labels';
import { type GmailHistoryRecord, type NamedMessage } from './gmail-resources';

/** The events of one message in a section of history. */
export interface MessageHistory {
  readonly id: string;
  readonly isAdded: boolean;
  readonly isDeleted: boolean;
  /** For each added or removed label: whether the message had it before. */
  readonly labels: ReadonlyMap<string, boolean>;
  /** The labels in the record, if any: those of the message at some time. */
  readonly mentioned: readonly string[];
}

/** A possible change of a message; the message has to be read to decide it. */
export interface Slot {
  readonly happened: MessageHistory;
  readonly what: 'place' | 'flags' | 'gone';
}

/** Records of one id belong together: a section of history never ends between them. */
export interface HistoryStep {
  readonly id: string;
  readonly records: readonly GmailHistoryRecord[];
}

interface Open {
  id: string;
  isAdded: boolean;
  isDeleted: boolean;
  labels: Map<string, boolean>;
  mentioned: readonly string[];
}

export function getSteps(records: readonly GmailHistoryRecord[]): HistoryStep[] {
  const steps: { id: string; records: GmailHistoryRecord[] }[] = [];
  for (const record of records) {
    const last = steps.at(-1);
    const id = record.id ?? last?.id ?? '';
    if (last?.id === id) last.records.push(record);
    else steps.push({ id, records: [record] });
  }
  return steps;
}

/** Folds a section of history to the net changes of each message, in the order of first appearance. */
export function foldHistory(steps: readonly HistoryStep[]): MessageHistory[] {
  const messages = new Map<string, Open>();
  for (const { records } of steps) for (const record of records) foldRecord(messages, record);
  return [...messages.values()];
}

/**
 * Lists the changes to report of each message; none for one that was added and deleted. A label that was added and removed again
 * counts, because an earlier batch may have reported the state in between.
 */
export function getSlots(happened: readonly MessageHistory[]): Slot[] {
  return happened.flatMap((one): Slot[] => {
    if (one.isDeleted) return one.isAdded ? [] : [{ happened: one, what: 'gone' }];
    if (one.isAdded) return [{ happened: one, what: 'place' }];
    return [
      ...(isRelevant(one, isPlaceLabel) ? [{ happened: one, what: 'place' as const }] : []),
      ...(isRelevant(one, isFlagLabel) ? [{ happened: one, what: 'flags' as const }] : []),
    ];
  });
}

export function isRelevant({ labels }: MessageHistory, kind: (label: string) => boolean): boolean {
  return [...labels.keys()].some(kind);
}

/** The labels of a message before the section, derived from its present ones. */
export function getLabelsBefore({ labels }: MessageHistory, now: readonly string[]): string[] {
  const untouched = now.filter((label) => !labels.has(label));
  const restored = [...labels].filter(([, wasThere]) => wasThere).map(([label]) => label);
  return [...untouched, ...restored];
}

/** A section of history that one batch reports, and the start of the next one. */
export interface Stretch {
  readonly slots: readonly Slot[];
  readonly historyId: string;
  readonly done: number;
  readonly more: boolean;
}

/**
 * Takes as much of a page of history as fits into a batch: whole steps, or a part of the first step if it exceeds the batch (one click may
 * move a thousand messages).
 * @param from the requested start, and the completed slots of the first step
 * @param page the mailbox's current history id, and whether more pages follow
 */
export function getStretch(
  all: readonly HistoryStep[],
  from: { readonly historyId: string; readonly done: number },
  limit: number,
  page: { readonly historyId: string; readonly hasNext: boolean },
): Stretch {
  // The last step of a page may continue on the next page.
  const steps = page.hasNext && all.length > 1 ? all.slice(0, -1) : all;
  const first = steps[0];
  if (!first) return { slots: [], historyId: page.historyId, done: 0, more: false };
  const until = (count: number): Pick<Stretch, 'historyId' | 'done' | 'more'> => {
    const isEnd = count === all.length && !page.hasNext;
    return { historyId: isEnd ? page.historyId : (steps[count - 1] ?? first).id, done: 0, more: !isEnd };
  };
  const alone = getSlots(foldHistory([first]));
  if (from.done > 0 || alone.length > limit) {
    const slots = alone.slice(from.done, from.done + limit);
    const done = from.done + slots.length;
    return done < alone.length ? { slots, historyId: from.historyId, done, more: true } : { slots, ...until(1) };
  }
  let count = steps.length;
  let slots = getSlots(foldHistory(steps));
  for (; slots.length > limit && count > 1; count--) slots = getSlots(foldHistory(steps.slice(0, count - 1)));
  return { slots, ...until(count) };
}

function foldRecord(messages: Map<string, Open>, record: GmailHistoryRecord): void {
  const open = (message: NamedMessage | undefined): Open | null => {
    if (!message?.id) return null;
    let one = messages.get(message.id);
    if (!one) {
      one = { id: message.id, isAdded: false, isDeleted: false, labels: new Map(), mentioned: [] };
      messages.set(message.id, one);
    }
    if (message.labelIds) one.mentioned = message.labelIds;
    return one;
  };
  for (const { message } of record.messagesAdded ?? []) {
    const one = open(message);
    if (one) one.isAdded = true;
  }
  for (const { message, labelIds = [] } of record.labelsAdded ?? []) touch(open(message), labelIds, true);
  for (const { message, labelIds = [] } of record.labelsRemoved ?? []) touch(open(message), labelIds, false);
  for (const { message } of record.messagesDeleted ?? []) {
    const one = open(message);
    if (one) one.isDeleted = true;
  }
}

function touch(one: Open | null, labels: readonly string[], isThere: boolean): void {
  for (const label of labels) if (one?.labels.has(label) === false) one.labels.set(label, !isThere);
}
