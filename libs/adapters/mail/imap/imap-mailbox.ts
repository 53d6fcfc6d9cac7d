import { Readable } from 'node:stream';
import { type SmtpImapAccount } from '../port/account';
import { type MessageRef, type SyncBatch, type SyncRequest } from '../port/changes';
import { type MailFolder } from '../port/folder';
import { MailError } from '../port/mail.errors';
import { type SentLookup } from '../port/send';
import { type Attachment, type AttachmentContent, type CheckResult } from '../port/session';
import {
  toAtom,
  type SelectedFolder,
  type Fetched,
  type ImapCommands,
  toPeekItem,
  toTextToken,
  type Token,
} from './imap-commands';
import { type ImapFailure } from './imap.errors';
import { ImapFolders } from './imap-folders';
import { ImapConnectionSerializer } from './imap-connection-serializer';
import { type ImapLogin } from './imap-login';
import { DEFAULTS, type ImapOptions } from './imap-options';
import { ID_HEADER, ImapMessageStore } from './imap-message-store';
import { type AttachmentPart, getAttachments } from './imap-parts';
import { getImapSummary } from './imap-summary';
import { requireLimit, ImapSync } from './imap-sync';
import { ImapWatch } from './imap-watch';
import { createTransferDecoder } from './transfer-decoding';

/** Bytes of an attachment per request: the memory that a slow reader occupies. */
const CHUNK = 262_144;

/** Maximum examined copies of one message. */
const MOST_FOUND = 20;

/**
 * The incoming half of a mailbox: everything of `MailSession` except sending. It has at most one connection, and none while idle.
 */
export class ImapMailbox {
  readonly #line: ImapConnectionSerializer;
  readonly #folders = new ImapFolders();
  readonly #watch: ImapWatch;
  readonly #sync: ImapSync;
  readonly #placing = new ImapMessageStore();

  constructor(login: ImapLogin, server: SmtpImapAccount['imap'], options: ImapOptions) {
    const { keepMs = DEFAULTS.keepMs, taskTimeoutMs = DEFAULTS.taskTimeoutMs } = options;
    this.#line = new ImapConnectionSerializer(login, server, keepMs, taskTimeoutMs);
    this.#watch = new ImapWatch(this.#line, {
      pollMs: options.pollMs ?? DEFAULTS.pollMs,
      probeMs: options.probeMs ?? DEFAULTS.probeMs,
      idleMs: options.idleMs ?? DEFAULTS.idleMs,
    });
    this.#sync = new ImapSync(this.#folders, (inbox) => this.#watch.saw(inbox));
  }

  /** Logs in on a new connection. */
  async verify(signal?: AbortSignal): Promise<CheckResult> {
    try {
      await this.#line.renew(signal);
      return { ok: true };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { failure, stage, message, lastReply, retryAfterMs } = error;
      return { ok: false, failure, stage, message, lastReply, retryAfterMs };
    }
  }

  async sync(request: SyncRequest): Promise<SyncBatch> {
    requireLimit(request.limit);
    return this.#line.run(({ imap }) => this.#sync.run(imap, request), request.signal);
  }

  async waitForChange({ atMostMs, signal }: { atMostMs: number; signal: AbortSignal }): Promise<boolean> {
    return this.#watch.wait(atMostMs, signal);
  }

  /** Searches the folders with copies of sent mail. SMTP servers need not store any, so a missing copy proves nothing. */
  async findSent(messageId: string): Promise<SentLookup> {
    return this.#line.run(async ({ imap }) => {
      const folders = await this.#folders.list(imap);
      for (const { id } of folders.filter(({ role }) => role === 'sent' || role === 'all')) {
        await imap.select(id, 'read');
        if (await containsMessage(imap, messageId))
          return { state: 'sent', providerMessageId: null, providerThreadId: null };
      }
      return { state: 'unknown' };
    });
  }

  async fetchRaw(ref: MessageRef, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
    return this.#line.run(async ({ imap }) => {
      // One byte above the limit proves a larger message, even if the server states a wrong size.
      const { source } = await fetchFrom(imap, ref, [toAtom('UID'), toPeekItem([], 0, maxBytes + 1)]);
      if (!source) throw createRefusedError('The server returns this message in an unreadable form');
      if (source.length > maxBytes) throw createTooLargeError(maxBytes);
      return source;
    });
  }

  async listAttachments(ref: MessageRef): Promise<readonly Attachment[]> {
    const parts = await this.#parts(ref);
    return parts.map(({ index, name, contentType, size }) => ({ index, name, contentType, size }));
  }

  async fetchAttachment(ref: MessageRef, index: number): Promise<AttachmentContent> {
    const part = (await this.#parts(ref))[index];
    if (!part) throw createRefusedError('The message has no such attachment');
    const { name, contentType, size } = part;
    const content = Readable.from(this.#bytesOf(ref, part), { objectMode: false });
    return { index, name, contentType, size, content };
  }

  async move(ref: MessageRef, folder: string): Promise<MessageRef> {
    return this.#line.run(async ({ imap }) => {
      const { uid } = await openFor(imap, ref, 'write');
      return folder === ref.folder ? ref : this.#placing.move(imap, uid, folder);
    });
  }

  async append(folder: string, raw: Buffer, flags: { seen?: boolean } = {}): Promise<MessageRef> {
    return this.#line.run(({ imap }) => this.#placing.append(imap, folder, raw, flags.seen ? ['\\Seen'] : []));
  }

  async markRead(ref: MessageRef, read: boolean): Promise<void> {
    await this.#line.run(async ({ imap }) => {
      const { uid } = await openFor(imap, ref, 'write');
      // STORE also answers OK for a deleted message.
      await fetchExisting(imap, uid, [toAtom('UID'), toAtom('FLAGS')]);
      await imap.store(uid, read ? '+FLAGS.SILENT' : '-FLAGS.SILENT', '\\Seen');
    });
  }

  async listFolders(): Promise<readonly MailFolder[]> {
    return this.#line.run(({ imap }) => this.#folders.listAnew(imap));
  }

  async ensureFolder(name: string): Promise<MailFolder> {
    const making = { hasBegun: false };
    return this.#line.run(({ imap }) => this.#folders.ensure(imap, name, making));
  }

  async close(): Promise<void> {
    this.#line.close();
  }

  async #parts(ref: MessageRef): Promise<AttachmentPart[]> {
    return this.#line.run(async ({ imap }) => {
      const { bodyStructure } = await fetchFrom(imap, ref, [toAtom('UID'), toAtom('BODYSTRUCTURE')]);
      return bodyStructure ? getAttachments(bodyStructure) : [];
    });
  }

  /** Queues for the connection at each chunk, so that a slow reader does not block others. */
  async *#bytesOf(ref: MessageRef, { part, encoding }: AttachmentPart): AsyncGenerator<Buffer> {
    const decoder = createTransferDecoder(encoding);
    for (let from = 0; ; from += CHUNK) {
      const chunk = await this.#chunk(ref, part, from);
      const bytes = decoder.write(chunk);
      if (bytes.length > 0) yield bytes;
      if (chunk.length < CHUNK) break;
    }
    const remaining = decoder.end();
    if (remaining.length > 0) yield remaining;
  }

  async #chunk(ref: MessageRef, part: string, from: number): Promise<Buffer> {
    return this.#line.run(async ({ imap }) => {
      const fetched = await fetchFrom(imap, ref, [toAtom('UID'), toPeekItem([toAtom(part)], from, CHUNK)]);
      const chunk = fetched.bodyParts?.get(part);
      // After the end servers return an empty string or NIL; before it there must be data.
      if (!chunk && from === 0) throw createRefusedError('The server does not return this attachment');
      return chunk ?? Buffer.alloc(0);
    });
  }
}

/** Reads data of a message; in an open folder this costs one command. @throws MailError when the message no longer exists */
async function fetchFrom(imap: ImapCommands, ref: MessageRef, items: Token[]): Promise<Fetched> {
  const { uidValidity, uid } = parsePlace(ref);
  if (imap.opened(ref.folder, 'read') === uidValidity) {
    const fetched = await imap.fetchOne(uid, items);
    if (fetched) return fetched;
    // Another connection may see the message before this one: read the current state of the folder.
  }
  await openFor(imap, ref, 'read');
  return fetchExisting(imap, uid, items);
}

/** @throws MailError when no message can be there */
function parsePlace({ id }: MessageRef): { uidValidity: string; uid: number } {
  const [, uidValidity, uid] = /^(\d{1,20}):([1-9]\d{0,9})$/.exec(id) ?? [];
  if (uidValidity === undefined || uid === undefined) throw createNotFoundError();
  return { uidValidity, uid: Number(uid) };
}

/** Opens the folder of a message, if its id is still valid. */
async function openFor(
  imap: ImapCommands,
  ref: MessageRef,
  mode: 'read' | 'write',
): Promise<{ uid: number; box: SelectedFolder }> {
  const { folder } = ref;
  const { uidValidity, uid } = parsePlace(ref);
  let box: SelectedFolder;
  try {
    box = await imap.select(folder, mode);
  } catch (error) {
    const { mailboxMissing, serverResponseCode } = error as ImapFailure;
    if (mailboxMissing || serverResponseCode === 'NONEXISTENT') throw createNotFoundError();
    throw error;
  }
  if (box.uidValidity !== uidValidity) throw createNotFoundError();
  return { uid, box };
}

/** Whether the selected folder has a message with this Message-ID. SEARCH matches substrings, so the header decides. */
async function containsMessage(imap: ImapCommands, messageId: string): Promise<boolean> {
  const found = await imap.search([toAtom('HEADER'), toAtom('MESSAGE-ID'), toTextToken(messageId)]);
  if (found === null)
    throw new MailError({
      failure: 'temporary',
      stage: 'request',
      message: 'The IMAP server returns an unreadable search result',
    });
  for (const uid of found.slice(-MOST_FOUND)) {
    const { headers } = (await imap.fetchOne(uid, [toAtom('UID'), ID_HEADER])) ?? {};
    if (headers && (await getImapSummary(headers)).messageId === messageId) return true;
  }
  return false;
}

async function fetchExisting(imap: ImapCommands, uid: number, items: Token[]): Promise<Fetched> {
  const fetched = await imap.fetchOne(uid, items);
  if (fetched) return fetched;
  // A missing response may also be an unreadable one.
  const isThere = (await imap.search([toAtom('UID'), { type: 'SEQUENCE', value: String(uid) }]))?.includes(uid);
  throw isThere ? createRefusedError('The server returns this message in an unreadable form') : createNotFoundError();
}

function createNotFoundError(): MailError {
  return createRefusedError('The message no longer exists');
}

function createTooLargeError(maxBytes: number): MailError {
  return createRefusedError(`The message is larger than ${maxBytes} bytes`);
}

function createRefusedError(message: string): MailError {
  return new MailError({ failure: 'permanent', stage: 'request', message });
}
