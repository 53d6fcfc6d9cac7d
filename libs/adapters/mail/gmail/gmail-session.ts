import { type GmailAccount } from '../port/account';
import { type MessageRef, type SyncBatch, type SyncRequest } from '../port/changes';
import { type MailFolder } from '../port/folder';
import { MailError } from '../port/mail.errors';
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
import { joinSignals } from '../concurrency/joined-signal';
import { GmailClient, type GmailHttp } from './gmail.client';
import { GmailContent } from './gmail-content';
import { GmailFolders } from './gmail-folders';
import { checkIdentity } from './gmail-identity';
import { ARCHIVE, getGmailPlace, getLabelChanges } from './gmail-labels';
import { GmailSender } from './gmail-sender';
import { GmailSync } from './gmail-sync';
import { createMessageUpload } from './gmail-upload';
import { type GmailMessage } from './gmail-resources';

/** A Gmail mailbox. It has no connections of its own: the driver shares them. */
export class GmailSession implements MailSession {
  readonly #closing = new AbortController();
  readonly #client: GmailClient;
  readonly #sender: GmailSender;
  readonly #content: GmailContent;
  readonly #folders: GmailFolders;
  readonly #sync: GmailSync;
  /** The newest history id that `waitForChange` has reported. */
  #noticed: bigint | null = null;

  constructor(
    private readonly account: GmailAccount,
    private readonly http: GmailHttp,
    private readonly pollMs: number,
  ) {
    this.#client = new GmailClient(account, http, this.#closing.signal);
    this.#sender = new GmailSender(this.#client);
    this.#content = new GmailContent(this.#client);
    this.#folders = new GmailFolders(this.#client);
    this.#sync = new GmailSync(this.#client);
  }

  async verify(signal?: AbortSignal): Promise<MailCheck> {
    const result = await this.#check(signal);
    return { outgoing: result, incoming: result };
  }

  async send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    return this.#sender.send(message, options);
  }

  async findSent(messageId: string, handle: SendHandle): Promise<SentLookup> {
    return this.#sender.findSent(messageId, handle);
  }

  async sync(request: SyncRequest): Promise<SyncBatch> {
    return this.#sync.sync(request);
  }

  async waitForChange({ atMostMs, signal }: { atMostMs: number; signal: AbortSignal }): Promise<boolean> {
    const ended = joinSignals(signal, this.#closing.signal);
    let left = atMostMs;
    try {
      for (;;) {
        if (await this.#hasChanged(signal)) return true;
        if (left <= 0) return false;
        const pause = Math.min(left, this.pollMs);
        left -= pause;
        await this.http.wait(pause, ended.signal);
      }
    } catch (error) {
      if (signal.aborted) return false;
      throw this.#client.toUnanswered(error, { method: 'GET', path: 'profile' });
    } finally {
      ended.done();
    }
  }

  async fetchRaw(ref: MessageRef, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
    return this.#content.raw(ref, maxBytes);
  }

  async listAttachments(ref: MessageRef): Promise<readonly Attachment[]> {
    return this.#content.attachments(ref);
  }

  async fetchAttachment(ref: MessageRef, index: number): Promise<AttachmentContent> {
    return this.#content.attachment(ref, index);
  }

  async move({ id, folder: from }: MessageRef, folder: string): Promise<MessageRef> {
    const change = getLabelChanges(folder, from);
    if (!change) throw filledByGmail(folder);
    await this.#relabel(id, change);
    return { folder, id };
  }

  async append(folder: string, raw: Buffer, { seen = false }: { seen?: boolean } = {}): Promise<MessageRef> {
    if (folder === 'DRAFT') throw filledByGmail(folder);
    // Gmail sets SENT on mail from the mailbox's own address, and does not accept it from clients.
    const own = folder === 'SENT' || folder === ARCHIVE ? [] : (getLabelChanges(folder, '')?.add ?? []);
    const labelIds = seen ? own : [...own, 'UNREAD'];
    const upload = createMessageUpload(raw, { labelIds }, (fields) => fields);
    const query = { internalDateSource: 'receivedTime', ...('query' in upload ? upload.query : {}) };
    const inserted = await this.#client.json<GmailMessage>({
      method: 'POST',
      path: 'messages',
      once: true,
      ...upload,
      query,
    });
    if (!inserted.id) {
      throw new MailError({ failure: 'ambiguous', stage: 'request', message: 'Gmail stored a message without an id' });
    }
    return { folder: getGmailPlace(inserted.labelIds ?? own).folder, id: inserted.id };
  }

  async markRead({ id }: MessageRef, read: boolean): Promise<void> {
    await this.#relabel(id, read ? { add: [], remove: ['UNREAD'] } : { add: ['UNREAD'], remove: [] });
  }

  async listFolders(): Promise<readonly MailFolder[]> {
    return this.#folders.list();
  }

  async ensureFolder(name: string): Promise<MailFolder> {
    return this.#folders.ensure(name);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #check(signal: AbortSignal | undefined): Promise<CheckResult> {
    try {
      await checkIdentity(this.#client, this.account.email, signal);
      return { ok: true };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { failure, stage, message, lastReply, retryAfterMs } = error;
      return { ok: false, failure, stage, message, lastReply, retryAfterMs };
    }
  }

  /** Whether the history has advanced since the last complete sync, reported once; the first call sets the start. */
  async #hasChanged(signal: AbortSignal): Promise<boolean> {
    const current = BigInt(await this.#sync.historyId(signal));
    const { syncedTo } = this.#sync;
    const noticed = this.#noticed;
    const isFirst = syncedTo === null && noticed === null;
    const hasChanged = !isFirst && current > (syncedTo ?? 0n) && current > (noticed ?? 0n);
    if (isFirst || hasChanged) this.#noticed = current;
    return hasChanged;
  }

  async #relabel(id: string, { add, remove }: { add: string[]; remove: string[] }): Promise<void> {
    const json = { addLabelIds: add, removeLabelIds: remove };
    await this.#client.json({ method: 'POST', path: 'messages/{}/modify', ids: [id], json });
  }
}

function filledByGmail(folder: string): MailError {
  return new MailError({ failure: 'permanent', stage: 'request', message: `Gmail itself fills ${folder}` });
}
