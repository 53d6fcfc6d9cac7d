import { randomBytes } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import { itemNotFound } from './graph-answers';
import { type GraphFault } from './graph-faults';

export interface StoredFolder {
  readonly id: string;
  readonly displayName: string;
  readonly wellKnown: string | null;
  readonly parent: string | null;
  /** Listed only when hidden folders are requested. */
  readonly isHidden: boolean;
}

export interface StoredMessage {
  /** Immutable. */
  readonly id: string;
  readonly order: number;
  readonly raw: Buffer;
  readonly mime: Email;
  readonly conversationId: string;
  readonly receivedAt: Date;
  readonly createdAt: Date;
  modifiedAt: Date;
  folder: string;
  isRead: boolean;
  isDraft: boolean;
  isFlagged: boolean;
  isAnswered: boolean;
  /** Links to cloud files, which Outlook shows as attachments. */
  readonly links: string[];
}

/** An event of a message in a folder. */
export interface LeadEventType {
  readonly kind: 'changed' | 'read' | 'left';
  readonly folder: string;
  readonly id: string;
}

/** A received request. */
export interface SeenRequest {
  readonly method: string;
  /** Path below the API's URL, with its query. */
  readonly path: string;
  readonly prefer: string;
}

/** The outcome of a message to a given recipient. */
export type GraphFate = 'accepted' | 'temporary' | 'permanent' | 'lost-before' | 'lost-after';

const FOLDERS: Readonly<Record<string, string>> = {
  inbox: 'Inbox',
  junkemail: 'Junk Email',
  sentitems: 'Sent Items',
  drafts: 'Drafts',
  deleteditems: 'Deleted Items',
  archive: 'Archive',
};

/** A mailbox of the local server, which tests can change directly. */
export class GraphMailbox {
  /** Valid access tokens. A test of OAuth adds and removes them. */
  readonly tokens: Set<string>;
  readonly folders: StoredFolder[] = [];
  readonly messages = new Map<string, StoredMessage>();
  readonly happenings: LeadEventType[] = [];
  /** Messages accepted for delivery. */
  readonly accepted: { to: string; messageId: string; raw: Buffer }[] = [];
  readonly fates = new Map<string, GraphFate>();
  readonly faults: GraphFault[] = [];
  readonly requests: SeenRequest[] = [];
  /** Tokens of delta queries; each refers to a state of `graph-delta.ts`. */
  readonly deltaTokens = new Map<string, unknown>();
  /** Running requests, and their maximum so far. */
  inFlight = 0;
  mostInFlight = 0;
  /** Responses wait until it resolves. */
  gate: Promise<void> | null = null;
  /** Messages submitted for sending stay drafts until `releaseSends`. */
  holdsSends = false;
  readonly #held: StoredMessage[] = [];
  #order = 0;

  constructor(
    readonly address: string,
    tokens: Iterable<string>,
    private readonly now: () => Date,
  ) {
    this.tokens = new Set(tokens);
    for (const [wellKnown, displayName] of Object.entries(FOLDERS)) this.addFolder(displayName, { wellKnown });
  }

  addFolder(
    displayName: string,
    { wellKnown = null, parent = null, isHidden = false }: Partial<Omit<StoredFolder, 'id' | 'displayName'>> = {},
  ): StoredFolder {
    const id = `AQMkAD${randomBytes(9).toString('base64url')}AAAA=`;
    const folder = { id, displayName, wellKnown, parent, isHidden };
    this.folders.push(folder);
    return folder;
  }

  /** By id or well-known name. */
  folder(name: string): StoredFolder {
    const found = this.folders.find(({ id, wellKnown }) => id === name || wellKnown === name.toLowerCase());
    if (!found) throw itemNotFound();
    return found;
  }

  message(id: string): StoredMessage {
    const found = this.messages.get(id);
    if (!found) throw itemNotFound();
    return found;
  }

  /** Messages of a folder in the order of their arrival. */
  in(folder: string): StoredMessage[] {
    const { id } = this.folder(folder);
    return [...this.messages.values()].filter((message) => message.folder === id);
  }

  byMessageId(messageId: string): StoredMessage {
    const found = [...this.messages.values()].find(({ mime }) => mime.messageId === messageId);
    if (!found) throw new Error(`The mailbox has no message ${messageId}`);
    return found;
  }

  /** Puts a message into a folder, the inbox by default. */
  async store(
    raw: Buffer,
    { folder = 'inbox', receivedAt = this.now(), isDraft = false, isRead = false } = {},
  ): Promise<StoredMessage> {
    const mime = await PostalMime.parse(raw, { forceRfc822Attachments: true });
    this.#order += 1;
    const message: StoredMessage = {
      id: `AAkALg${randomBytes(18).toString('base64url')}AAA=`,
      order: this.#order,
      raw,
      mime,
      conversationId: `AAQk${randomBytes(9).toString('base64url')}`,
      receivedAt,
      createdAt: this.now(),
      modifiedAt: this.now(),
      folder: this.folder(folder).id,
      isRead,
      isDraft,
      isFlagged: false,
      isAnswered: false,
      links: [],
    };
    this.messages.set(message.id, message);
    this.#note('changed', message);
    return message;
  }

  move(message: StoredMessage, folder: string): void {
    const { id } = this.folder(folder);
    if (id === message.folder) return;
    this.#note('left', message);
    message.folder = id;
    this.#note('changed', message);
  }

  /** Deletes permanently. */
  remove(message: StoredMessage): void {
    this.#note('left', message);
    this.messages.delete(message.id);
  }

  update(message: StoredMessage, change: Partial<Pick<StoredMessage, 'isRead' | 'isFlagged' | 'isAnswered'>>): void {
    const onlyRead = Object.keys(change).every((key) => key === 'isRead');
    Object.assign(message, change);
    this.#note(onlyRead ? 'read' : 'changed', message);
  }

  /** Accepts a draft for delivery. It becomes a sent message shortly after the response, or when it is released. */
  accept(draft: StoredMessage): void {
    const recipients = [draft.mime.to, draft.mime.cc, draft.mime.bcc].flatMap((list) => list ?? []);
    for (const { address = '' } of recipients) {
      this.accepted.push({ to: address, messageId: draft.mime.messageId ?? '', raw: draft.raw });
    }
    if (this.holdsSends) this.#held.push(draft);
    else setImmediate(() => this.#sent(draft));
  }

  releaseSends(): void {
    this.holdsSends = false;
    for (const draft of this.#held.splice(0)) this.#sent(draft);
  }

  /** Invalidates all delta links. */
  forgetHistory(): void {
    this.deltaTokens.clear();
  }

  #sent(draft: StoredMessage): void {
    // As in a real mailbox, a draft that was moved or removed meanwhile is not sent.
    if (!this.messages.has(draft.id) || !draft.isDraft) return;
    draft.isDraft = false;
    draft.isRead = true;
    this.move(draft, 'sentitems');
  }

  #note(kind: LeadEventType['kind'], message: StoredMessage): void {
    if (kind !== 'read') message.modifiedAt = this.now();
    this.happenings.push({ kind, folder: message.folder, id: message.id });
  }
}
