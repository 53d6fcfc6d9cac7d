import PostalMime from 'postal-mime';
import { type MailAddress, type MessageFlags, type MessageSummary } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { MailError } from '../port/mail.errors';

/** Id of a folder: its role, or the name from its owner. */
export type FakeFolderId = FolderRole | `own:${string}`;

export interface FakeMessage {
  readonly id: string;
  readonly raw: Buffer;
  readonly receivedAt: Date;
  readonly summary: MessageSummary;
  folder: FakeFolderId;
  flags: MessageFlags;
  isDeleted: boolean;
}

/** One event of the log that `sync` reads. */
export interface FakeChange {
  readonly kind: 'added' | 'flags' | 'moved' | 'gone';
  readonly message: FakeMessage;
}

/** The outcome of sends to a recipient. */
export type FakeFate = 'accepted' | 'temporary' | 'permanent' | 'lost-before' | 'lost-after';

const FRESH: MessageFlags = { seen: false, answered: false, flagged: false, draft: false };

/** An in-memory mailbox. Tests add mail and inspect sent messages. */
export class FakeMailbox {
  readonly happenings: FakeChange[] = [];
  readonly sent: { to: string; messageId: string; raw: Buffer }[] = [];
  /** Names of the folders created by the owner. */
  readonly ownFolders = new Set<string>();
  readonly #messages = new Map<string, FakeMessage>();
  readonly #waiting = new Set<() => void>();
  readonly #fates = new Map<string, FakeFate>();
  /** Grows when the history is lost: earlier cursors become invalid. */
  epoch = 1;
  /** Whether the next logins are refused. */
  refusesLogin = false;
  /** Fails every call while it is set. */
  trouble: MailError | null = null;

  constructor(readonly address: string) {}

  async deliver(raw: Buffer, folder: FakeFolderId = 'inbox', receivedAt = new Date()): Promise<FakeMessage> {
    const summary = await toSummary(raw);
    const message: FakeMessage = {
      id: String(this.happenings.length + 1),
      raw,
      receivedAt,
      summary,
      folder,
      flags: { ...FRESH },
      isDeleted: false,
    };
    this.#messages.set(message.id, message);
    this.#happened({ kind: 'added', message });
    return message;
  }

  fate(recipient: string, fate: FakeFate): void {
    this.#fates.set(recipient, fate);
  }

  fateOf(recipient: string): FakeFate {
    return this.#fates.get(recipient) ?? 'accepted';
  }

  byMessageId(messageId: string): FakeMessage {
    const found = [...this.#messages.values()].find((message) => message.summary.messageId === messageId);
    if (!found) throw new Error(`The fake has no message ${messageId}`);
    return found;
  }

  /** @throws MailError `permanent` when the message no longer exists */
  get(id: string): FakeMessage {
    const found = this.#messages.get(id);
    if (found && !found.isDeleted) return found;
    throw new MailError({ failure: 'permanent', stage: 'request', message: 'The message no longer exists' });
  }

  flag(message: FakeMessage, flags: Partial<MessageFlags>): void {
    message.flags = { ...message.flags, ...flags };
    this.#happened({ kind: 'flags', message });
  }

  move(message: FakeMessage, folder: FakeFolderId): void {
    message.folder = folder;
    this.#happened({ kind: 'moved', message });
  }

  remove(message: FakeMessage): void {
    message.isDeleted = true;
    this.#happened({ kind: 'gone', message });
  }

  /** Resolves at the next event. */
  next(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (happened: boolean) => () => {
        this.#waiting.delete(yes);
        signal.removeEventListener('abort', no);
        resolve(happened);
      };
      const yes = end(true);
      const no = end(false);
      this.#waiting.add(yes);
      signal.addEventListener('abort', no);
    });
  }

  #happened(happening: FakeChange): void {
    this.happenings.push(happening);
    for (const notify of this.#waiting) notify();
  }
}

async function toSummary(raw: Buffer): Promise<MessageSummary> {
  const mail = await PostalMime.parse(raw);
  const address = (entry: { name?: string; address?: string }): MailAddress => ({
    name: entry.name ?? '',
    address: entry.address ?? '',
  });
  const date = new Date(mail.date ?? Number.NaN);
  return {
    messageId: mail.messageId ?? null,
    inReplyTo: mail.inReplyTo ?? null,
    references: mail.references?.split(/\s+/).filter(Boolean) ?? [],
    from: mail.from ? address(mail.from) : null,
    to: (mail.to ?? []).map(address),
    subject: mail.subject ?? '',
    date: Number.isNaN(date.getTime()) ? null : date,
  };
}
