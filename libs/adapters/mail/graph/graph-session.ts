import { comparableEmailAddress } from '@platform/validation';
import { type GraphAccount } from '../port/account';
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
import { type GraphClient } from './graph.client';
import { GraphContent } from './graph-content';
import { GraphError } from './graph.errors';
import { GraphFolders } from './graph-folders';
import { type GraphTime } from './graph-time';
import { getQuery } from './graph-links';
import { GraphSender } from './graph-sender';
import { GraphSync } from './graph-sync';
import { GraphWatch } from './graph-watch';

export interface GraphSessionOptions {
  readonly time: GraphTime;
  readonly pollMs: number;
  readonly draftSettleMs: number;
}

interface Me {
  readonly mail?: string | null;
  readonly userPrincipalName?: string | null;
  readonly proxyAddresses?: readonly string[] | null;
}

/** A Microsoft 365 mailbox over Microsoft Graph: the mailbox of the token (`/me`), with delegated permissions. */
export class GraphSession implements MailSession {
  readonly #folders: GraphFolders;
  readonly #sending: GraphSender;
  readonly #sync: GraphSync;
  readonly #content: GraphContent;
  readonly #watch: GraphWatch;

  constructor(
    private readonly account: GraphAccount,
    private readonly client: GraphClient,
    options: GraphSessionOptions,
  ) {
    this.#folders = new GraphFolders(client);
    this.#sending = new GraphSender(client, this.#folders, options.draftSettleMs);
    this.#sync = new GraphSync(client, this.#folders, () => options.time.now());
    this.#content = new GraphContent(client);
    this.#watch = new GraphWatch(client, options.time, options.pollMs);
  }

  /** Checks the account of the token and read access. Only a send could prove the permission to send. */
  async verify(signal?: AbortSignal): Promise<MailCheck> {
    const [outgoing, incoming] = await Promise.all([
      check(() => this.#identify(signal)),
      check(() => this.#get(`/me/mailFolders/inbox${getQuery({ $select: 'id' })}`, 'GET /mailFolders/inbox', signal)),
    ]);
    // The readable inbox of another account is not the mailbox.
    const isOther = !outgoing.ok && outgoing.failure === 'needs-human' && outgoing.lastReply === null;
    return { outgoing, incoming: incoming.ok && isOther ? outgoing : incoming };
  }

  send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    return this.#sending.send(message, options);
  }

  findSent(messageId: string, handle: SendHandle): Promise<SentLookup> {
    return this.#sending.findSent(messageId, handle);
  }

  async sync(request: SyncRequest): Promise<SyncBatch> {
    const { batch, view } = await this.#sync.sync(request);
    this.#watch.saw(view);
    return batch;
  }

  waitForChange({ atMostMs, signal }: { atMostMs: number; signal: AbortSignal }): Promise<boolean> {
    return this.#watch.wait(atMostMs, signal);
  }

  fetchRaw(ref: MessageRef, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
    return this.#content.raw(ref, maxBytes);
  }

  listAttachments(ref: MessageRef): Promise<readonly Attachment[]> {
    return this.#content.attachments(ref);
  }

  fetchAttachment(ref: MessageRef, index: number): Promise<AttachmentContent> {
    return this.#content.attachment(ref, index);
  }

  async move({ id }: MessageRef, folder: string): Promise<MessageRef> {
    const { body } = await this.client.json<{ id?: string; parentFolderId?: string } | null>({
      method: 'POST',
      path: `/me/messages/${encodeURIComponent(id)}/move`,
      command: 'POST /messages/{id}/move',
      repeatable: true,
      headers: JSON_BODY,
      body: JSON.stringify({ destinationId: folder }),
    });
    return { folder: body?.parentFolderId ?? folder, id: body?.id ?? id };
  }

  /**
   * Graph creates a draft from MIME in any folder (`isDraft` stays true: PR_MESSAGE_FLAGS can be set only on messages made from JSON, which
   * lose their headers and their date). Sufficient for a readable copy. Sent mail needs none, because Graph stores it in Sent Items. At
   * most about 3 MB.
   */
  async append(folder: string, raw: Buffer, { seen }: { seen?: boolean } = {}): Promise<MessageRef> {
    const { body } = await this.client.json<{ id?: string; parentFolderId?: string } | null>({
      method: 'POST',
      path: `/me/mailFolders/${encodeURIComponent(folder)}/messages`,
      command: 'POST /mailFolders/{id}/messages',
      repeatable: false,
      headers: { 'content-type': 'text/plain' },
      body: raw.toString('base64'),
    });
    if (!body?.id) {
      throw new GraphError({
        failure: 'temporary',
        stage: 'request',
        message: 'Microsoft Graph made a message without an id',
      });
    }
    const ref = { folder: body.parentFolderId ?? folder, id: body.id };
    if (seen !== undefined) await this.markRead(ref, seen);
    return ref;
  }

  async markRead({ id }: MessageRef, read: boolean): Promise<void> {
    await this.client.json({
      method: 'PATCH',
      path: `/me/messages/${encodeURIComponent(id)}`,
      command: 'PATCH /messages/{id}',
      repeatable: true,
      headers: JSON_BODY,
      body: JSON.stringify({ isRead: read }),
    });
  }

  listFolders(): Promise<readonly MailFolder[]> {
    return this.#folders.list();
  }

  ensureFolder(name: string): Promise<MailFolder> {
    return this.#folders.ensure(name);
  }

  async close(): Promise<void> {
    this.client.close();
  }

  async #identify(signal: AbortSignal | undefined): Promise<void> {
    const path = `/me${getQuery({ $select: 'mail,userPrincipalName,proxyAddresses' })}`;
    const me = await this.#get<Me | null>(path, 'GET /me', signal);
    const own = [me?.mail, me?.userPrincipalName, ...(me?.proxyAddresses ?? [])].map((address) =>
      comparableEmailAddress(address?.replace(/^smtp:/i, '') ?? ''),
    );
    if (own.includes(comparableEmailAddress(this.account.email))) return;
    throw new GraphError({
      failure: 'needs-human',
      stage: 'login',
      message: `The authorised Microsoft account is ${me?.mail ?? me?.userPrincipalName ?? 'an account without a mailbox'}, not with ${this.account.email}`,
    });
  }

  async #get<T>(path: string, command: string, signal: AbortSignal | undefined): Promise<T> {
    const request = { method: 'GET', path, command, repeatable: true, ...(signal ? { signal } : {}) } as const;
    return (await this.client.json<T>(request)).body;
  }
}

const JSON_BODY = { 'content-type': 'application/json' } as const;

async function check(attempt: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await attempt();
    return { ok: true };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { failure, stage, message, lastReply, retryAfterMs } = error;
    return { ok: false, failure, stage, message, lastReply, retryAfterMs };
  }
}
