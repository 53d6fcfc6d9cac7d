import { type GmailHistoryRecord } from '../gmail-resources';
import { GmailRefusal, refusals } from './gmail-refusals';
import { getHeader, mimeTree, type MimePart } from './mime-tree';

export interface StoredMessage {
  readonly id: string;
  readonly threadId: string;
  readonly raw: Buffer;
  readonly tree: MimePart;
  readonly internalDate: number;
  labels: Set<string>;
  historyId: bigint;
}

/** A label created by the user or by a program. */
export interface OwnLabel {
  readonly name: string;
  readonly labelListVisibility: string;
  readonly messageListVisibility: string;
}

export interface SentMail {
  readonly to: string;
  readonly messageId: string;
  readonly raw: Buffer;
}

const SYSTEM_LABELS = [
  'INBOX',
  'SENT',
  'DRAFT',
  'SPAM',
  'TRASH',
  'UNREAD',
  'STARRED',
  'IMPORTANT',
  'CHAT',
  'CATEGORY_PERSONAL',
  'CATEGORY_SOCIAL',
  'CATEGORY_PROMOTIONS',
  'CATEGORY_UPDATES',
  'CATEGORY_FORUMS',
] as const;
/** Only Gmail sets these labels. */
const AUTOMATIC = new Set(['SENT', 'DRAFT']);

/** A mailbox of the local server, which tests can change directly. */
export class GmailMailbox {
  readonly messages = new Map<string, StoredMessage>();
  readonly drafts = new Map<string, string>();
  readonly history: (GmailHistoryRecord & { readonly id: string })[] = [];
  readonly sent: SentMail[] = [];
  readonly ownLabels = new Map<string, OwnLabel>();
  readonly aliases: { email: string; verificationStatus: string }[] = [];
  #historyId = 10_000n;
  #oldestHistoryId = 0n;
  #nextId = 0x19a0_0000_0000_0000n;

  /**
   * @param address the address in the profile
   * @param tokens valid access tokens; an authorisation server adds and removes them at run time
   */
  constructor(
    readonly address: string,
    readonly tokens: Set<string>,
    private readonly now: () => number,
  ) {}

  get historyId(): bigint {
    return this.#historyId;
  }

  get oldestHistoryId(): bigint {
    return this.#oldestHistoryId;
  }

  /** Delivers a message. */
  deliver(raw: Buffer, labels: readonly string[] = ['INBOX', 'UNREAD'], at: Date | null = null): StoredMessage {
    return this.store(raw, labels, { at: at?.getTime() ?? this.now() });
  }

  store(raw: Buffer, labels: readonly string[], options: { at?: number; threadId?: string } = {}): StoredMessage {
    for (const label of labels) this.checkLabel(label);
    if (options.threadId !== undefined && !this.#hasThread(options.threadId)) {
      throw new GmailRefusal(refusals.notFound());
    }
    const id = (this.#nextId += 0x1_0001n).toString(16);
    const tree = mimeTree(raw);
    const threadId = options.threadId ?? this.#threadOf(tree) ?? id;
    const historyId = this.#record((message) => ({ messagesAdded: [{ message }] }), { id, threadId });
    const internalDate = options.at ?? this.now();
    const message = { id, threadId, raw, tree, internalDate, labels: new Set(labels), historyId };
    this.messages.set(id, message);
    return message;
  }

  /** @throws GmailRefusal 404 */
  get(id: string): StoredMessage {
    const message = this.messages.get(id);
    if (!message) throw new GmailRefusal(refusals.notFound());
    return message;
  }

  /** The newest message with this Message-ID, with or without brackets. */
  find(messageId: string): StoredMessage | null {
    const bare = messageId.replaceAll(/[<>\s]/g, '');
    const found = [...this.messages.values()].filter(({ tree }) => toMessageId(tree) === bare);
    return found.at(-1) ?? null;
  }

  relabel(id: string, add: readonly string[], remove: readonly string[]): StoredMessage {
    const message = this.get(id);
    for (const label of [...add, ...remove]) this.checkLabel(label);
    const added = add.filter((label) => !message.labels.has(label));
    const removed = remove.filter((label) => message.labels.has(label) && !added.includes(label));
    const { threadId } = message;
    const named = { id, threadId };
    if (added.length > 0) {
      for (const label of added) message.labels.add(label);
      message.historyId = this.#record((of) => ({ labelsAdded: [{ message: of, labelIds: added }] }), named);
    }
    if (removed.length > 0) {
      for (const label of removed) message.labels.delete(label);
      message.historyId = this.#record((of) => ({ labelsRemoved: [{ message: of, labelIds: removed }] }), named);
    }
    return message;
  }

  /** Relabels many messages in one action: one history record. */
  relabelAll(ids: readonly string[], add: string): void {
    const named = ids.map((id) => ({ id, threadId: this.get(id).threadId }));
    for (const id of ids) this.get(id).labels.add(add);
    this.#append({ labelsAdded: named.map((message) => ({ message, labelIds: [add] })) });
  }

  /** Deletes permanently, not to the trash. */
  remove(id: string): void {
    const { threadId } = this.get(id);
    this.messages.delete(id);
    this.#record((message) => ({ messagesDeleted: [{ message }] }), { id, threadId });
  }

  createDraft(raw: Buffer, threadId: string | undefined): string {
    const message = this.store(raw, ['DRAFT'], threadId === undefined ? {} : { threadId });
    const id = `r-${message.id}`;
    this.drafts.set(id, message.id);
    return id;
  }

  draft(id: string): StoredMessage {
    const message = this.messages.get(this.drafts.get(id) ?? '');
    if (!message) throw new GmailRefusal(refusals.notFound());
    return message;
  }

  deleteDraft(id: string): void {
    const message = this.draft(id);
    this.drafts.delete(id);
    this.remove(message.id);
  }

  /** Deletes the draft and adds a message with another id and the label SENT. */
  sendDraft(id: string): StoredMessage {
    const { raw, tree, threadId } = this.draft(id);
    const to = getHeader(tree.headers, 'to');
    if (!to.includes('@')) throw new GmailRefusal(refusals.invalid('Recipient address required'));
    this.deleteDraft(id);
    this.sent.push({ to, messageId: getHeader(tree.headers, 'message-id'), raw });
    return this.store(raw, ['SENT'], this.#hasThread(threadId) ? { threadId } : {});
  }

  createLabel(name: string, visibility: Partial<Omit<OwnLabel, 'name'>> = {}): string {
    const id = `Label_${this.ownLabels.size + 1}`;
    this.ownLabels.set(id, { name, labelListVisibility: 'labelShow', messageListVisibility: 'show', ...visibility });
    return id;
  }

  labels(): { id: string; name: string; type: string }[] {
    const system = SYSTEM_LABELS.map((id) => ({ id, name: id, type: 'system' }));
    return [...system, ...[...this.ownLabels].map(([id, label]) => ({ id, ...label, type: 'user' }))];
  }

  checkLabel(label: string): void {
    const isKnown = (SYSTEM_LABELS as readonly string[]).includes(label) || this.ownLabels.has(label);
    if (!isKnown) throw new GmailRefusal(refusals.invalid(`Invalid label: ${label}`));
  }

  /** Labels that the API refuses to add or remove. */
  checkManual(labels: readonly string[]): void {
    const automatic = labels.find((label) => AUTOMATIC.has(label));
    if (automatic !== undefined) throw new GmailRefusal(refusals.invalid(`Invalid label: ${automatic}`));
  }

  /** Makes all earlier history ids too old. */
  forgetHistory(): void {
    this.history.length = 0;
    this.#historyId += 1_000n;
    this.#oldestHistoryId = this.#historyId;
  }

  #hasThread(threadId: string): boolean {
    return [...this.messages.values()].some((message) => message.threadId === threadId);
  }

  #threadOf({ headers }: MimePart): string | null {
    const ids = `${getHeader(headers, 'references')} ${getHeader(headers, 'in-reply-to')}`.match(/<[^<>\s]+>/g) ?? [];
    for (const id of ids.toReversed()) {
      const found = this.find(id);
      if (found) return found.threadId;
    }
    return null;
  }

  #record<T extends object>(change: (message: T) => Omit<GmailHistoryRecord, 'id'>, named: T): bigint {
    return this.#append(change(named));
  }

  #append(change: Omit<GmailHistoryRecord, 'id'>): bigint {
    this.#historyId += 7n; // ids grow with gaps
    this.history.push({ id: String(this.#historyId), ...change });
    return this.#historyId;
  }
}

/** Without brackets. */
export function toMessageId({ headers }: MimePart): string {
  return getHeader(headers, 'message-id').replaceAll(/[<>\s]/g, '');
}
