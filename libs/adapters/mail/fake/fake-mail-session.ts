import { Readable } from 'node:stream';
import PostalMime from 'postal-mime';
import { type MailChange, type MessageRef, type SyncBatch, type SyncRequest } from '../port/changes';
import { getFingerprint } from '../port/fingerprint';
import { type FolderRole, type MailFolder } from '../port/folder';
import { parseFolderName, findFolder } from '../port/folder-name';
import { MailError, type MailFailure, toServerReply } from '../port/mail.errors';
import {
  type ComposedMessage,
  type SendHandle,
  type SendOptions,
  type SendOutcome,
  type SentLookup,
} from '../port/send';
import {
  type Attachment,
  type AttachmentContent,
  type CheckResult,
  type MailCheck,
  type MailSession,
} from '../port/session';
import { type FakeFate, type FakeFolderId, type FakeChange, type FakeMailbox, type FakeMessage } from './fake-mailbox';

const ROLES = ['inbox', 'promotions', 'junk', 'sent', 'drafts', 'trash', 'archive'] as const satisfies FolderRole[];
const WATCHED: readonly FolderRole[] = ['inbox', 'promotions', 'junk'];

const REFUSED: MailFailure = {
  failure: 'needs-human',
  stage: 'login',
  message: 'The login was refused',
  lastReply: toServerReply({ code: 535, enhancedCode: '5.7.8', command: 'AUTH', response: '535 5.7.8 no' }),
  retryAfterMs: null,
};

const FATES: Record<Exclude<FakeFate, 'accepted'>, MailFailure> = {
  temporary: failure('temporary', 'recipient', '451 4.3.0 later'),
  permanent: failure('permanent', 'recipient', '550 5.1.1 unknown user'),
  'lost-before': failure('temporary', 'data', null),
  'lost-after': failure('ambiguous', 'handover', null),
};

/** The port on an in-memory mailbox, for tests. It passes the same conformance suite as the other drivers. */
export class FakeMailSession implements MailSession {
  #closed = false;
  #syncedLength = 0;

  constructor(private readonly mailbox: FakeMailbox) {}

  async verify(): Promise<MailCheck> {
    const { trouble, refusesLogin } = this.mailbox;
    const failed = trouble ?? (refusesLogin ? REFUSED : null);
    const result: CheckResult = failed ? { ok: false, ...plain(failed) } : { ok: true };
    return { outgoing: result, incoming: result };
  }

  async send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    const { beforeHandover, signal, deadline } = options;
    const { mailbox } = this;
    if (deadline?.aborted) return { kind: 'temporary', ...FATES['lost-before'] };
    const fate = mailbox.fateOf(message.envelope.to);
    const failed = this.#failure() ?? (fate === 'accepted' || fate === 'lost-after' ? null : FATES[fate]);
    if (failed) return { kind: failed.failure, ...plain(failed) };
    if (signal?.aborted || !(await beforeHandover({ draftId: null }))) return { kind: 'withheld' };
    mailbox.sent.push({ to: message.envelope.to, messageId: message.messageId, raw: message.raw });
    await mailbox.deliver(message.raw, 'sent');
    if (fate === 'lost-after') return { kind: 'ambiguous', ...FATES[fate] };
    const lastReply = toServerReply({ code: 250, command: 'DATA', response: '250 2.0.0 queued' });
    return { kind: 'accepted', lastReply, providerMessageId: null, providerThreadId: null };
  }

  async findSent(messageId: string, _handle: SendHandle): Promise<SentLookup> {
    this.#check();
    const found = this.mailbox.sent.some((sent) => sent.messageId === messageId);
    return found ? { state: 'sent', providerMessageId: null, providerThreadId: null } : { state: 'unknown' };
  }

  async sync({ cursor, since, limit, roles = WATCHED }: SyncRequest): Promise<SyncBatch> {
    this.#check();
    const { happenings, epoch } = this.mailbox;
    const known = cursor === null ? null : (JSON.parse(cursor) as { epoch: number; at: number; from?: number });
    const isRestart = known !== null && known.epoch !== epoch;
    const changes: MailChange[] = [];
    let at = known && !isRestart ? known.at : 0;
    const fresh = at === 0;
    for (; at < happenings.length && changes.length < limit; at++) {
      const happening = happenings[at] as FakeChange;
      if (fresh && (happening.kind !== 'added' || happening.message.receivedAt < since)) continue;
      const change = toChange(happening, roles);
      if (change) changes.push(change);
    }
    this.#syncedLength = at;
    return {
      changes,
      cursor: JSON.stringify({ epoch, at }),
      more: at < happenings.length,
      restarted: isRestart ? ['inbox'] : [],
    };
  }

  async waitForChange({ atMostMs, signal }: { atMostMs: number; signal: AbortSignal }): Promise<boolean> {
    this.#check();
    if (signal.aborted) return false;
    const { length } = this.mailbox.happenings;
    // Report it once: otherwise a message that another session has read would be reported forever.
    const isNews = length > this.#syncedLength;
    this.#syncedLength = length;
    if (isNews) return true;
    return this.mailbox.next(AbortSignal.any([signal, AbortSignal.timeout(atMostMs)]));
  }

  async fetchRaw({ id }: MessageRef, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
    const { raw } = this.#get(id);
    if (raw.length > maxBytes) throw permanent('The message is too large');
    return raw;
  }

  async listAttachments({ id }: MessageRef): Promise<readonly Attachment[]> {
    return (await this.#attachments(id)).map(({ content: _content, ...attachment }) => attachment);
  }

  async fetchAttachment({ id }: MessageRef, index: number): Promise<AttachmentContent> {
    const found = (await this.#attachments(id))[index];
    if (!found) throw permanent('The message has no such attachment');
    return { ...found, content: Readable.from([found.content]) };
  }

  async move({ id }: MessageRef, folder: string): Promise<MessageRef> {
    this.mailbox.move(this.#get(id), this.#folder(folder));
    return { folder, id };
  }

  async append(folder: string, raw: Buffer, flags: { seen?: boolean } = {}): Promise<MessageRef> {
    this.#check();
    const message = await this.mailbox.deliver(raw, this.#folder(folder));
    if (flags.seen) this.mailbox.flag(message, { seen: true });
    return { folder, id: message.id };
  }

  async markRead({ id }: MessageRef, read: boolean): Promise<void> {
    this.mailbox.flag(this.#get(id), { seen: read });
  }

  async listFolders(): Promise<readonly MailFolder[]> {
    this.#check();
    const own = [...this.mailbox.ownFolders].map((name) => ({ id: `own:${name}`, name, role: null }));
    return [...ROLES.map((role) => ({ id: role, name: role, role })), ...own];
  }

  async ensureFolder(input: string): Promise<MailFolder> {
    const name = parseFolderName(input, null);
    const there = findFolder(await this.listFolders(), name);
    if (there) return there;
    this.mailbox.ownFolders.add(name);
    return { id: `own:${name}`, name, role: null };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  async #attachments(id: string) {
    const { attachments } = await PostalMime.parse(this.#get(id).raw);
    return attachments.map(({ filename, mimeType, content }, index) => {
      const bytes = Buffer.from(content as ArrayBuffer);
      return { index, name: filename ?? '', contentType: mimeType, size: bytes.length, content: bytes };
    });
  }

  /** @throws MailError `permanent` when it is not there */
  #folder(id: string): FakeFolderId {
    if (isRole(id)) return id;
    const name = id.replace(/^own:/, '');
    if (!id.startsWith('own:') || !this.mailbox.ownFolders.has(name)) throw permanent('There is no such folder');
    return `own:${name}`;
  }

  #get(id: string): FakeMessage {
    this.#check();
    return this.mailbox.get(id);
  }

  #failure(): MailFailure | null {
    if (this.#closed) return failure('temporary', 'connect', null);
    return this.mailbox.trouble ?? (this.mailbox.refusesLogin ? REFUSED : null);
  }

  #check(): void {
    const failed = this.#failure();
    if (failed) throw new MailError(plain(failed));
  }
}

function toChange({ kind, message }: FakeChange, roles: readonly FolderRole[]): MailChange | null {
  const { folder, id, flags, raw, receivedAt, summary } = message;
  const role = isOwn(folder) ? null : folder;
  const place = { ref: { folder, id }, role };
  const isWatched = role !== null && roles.includes(role);
  if (message.isDeleted) return kind === 'gone' ? { kind, ...place } : null;
  if (kind === 'flags') return isWatched ? { kind, ...place, flags } : null;
  if (kind !== 'added') return { kind, ...place };
  if (!isWatched) return null;
  const size = raw.length;
  const fingerprint = getFingerprint(summary, size);
  return { kind: 'message', ...place, fingerprint, receivedAt, size, flags, summary, threadId: null };
}

function isOwn(folder: FakeFolderId): folder is `own:${string}` {
  return folder.startsWith('own:');
}

function isRole(folder: string): folder is (typeof ROLES)[number] {
  return (ROLES as readonly string[]).includes(folder);
}

function permanent(message: string): MailError {
  return new MailError({ failure: 'permanent', stage: 'request', message });
}

function failure(kind: MailFailure['failure'], stage: MailFailure['stage'], response: string | null): MailFailure {
  const lastReply = response === null ? null : toServerReply({ code: response.slice(0, 3), response });
  return { failure: kind, stage, message: response ?? 'The connection was lost', lastReply, retryAfterMs: null };
}

/** The plain failure without the fields of an Error. */
function plain({ failure: kind, stage, message, lastReply, retryAfterMs }: MailFailure): MailFailure {
  return { failure: kind, stage, message, lastReply, retryAfterMs };
}
