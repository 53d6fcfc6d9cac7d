import {
  type Accepted,
  type ComposedMessage,
  type NotAccepted,
  type SendHandle,
  type SendOptions,
  type SendOutcome,
  type SentLookup,
} from '../port/send';
import { MailError, type MailFailure, toServerReply } from '../port/mail.errors';
import { type GraphClient } from './graph.client';
import { GraphError, isGraphNotFound } from './graph.errors';
import { type GraphFolders } from './graph-folders';
import { type GraphItem } from './graph-items';
import { getQuery, quoteText } from './graph-links';

interface Draft extends GraphItem {
  readonly id: string;
  readonly lastModifiedDateTime?: string;
  readonly ccRecipients?: unknown;
  readonly bccRecipients?: unknown;
}

const SEND = 'POST /messages/{id}/send';
const LOOKUP_FIELDS = { $select: 'isDraft,parentFolderId,conversationId,lastModifiedDateTime' } as const;

/** Maximum drafts whose failed removal is retried; further ones are left to the user. */
const MAX_LITTER = 50;

/**
 * Sends by a draft: Graph's `sendMail` accepts a message in one step and leaves no trace to resolve. A draft with an immutable id is either
 * still a draft or was sent.
 */
export class GraphSender {
  /** Drafts that could not be removed because the mailbox was throttled, for example. */
  readonly #litter = new Set<string>();

  /** @param settleMs milliseconds for which an existing draft proves nothing, because a send may be running */
  constructor(
    private readonly client: GraphClient,
    private readonly folders: GraphFolders,
    private readonly settleMs: number,
  ) {}

  async send(message: ComposedMessage, { beforeHandover, signal, deadline }: SendOptions): Promise<SendOutcome> {
    if (signal?.aborted) return { kind: 'withheld' };
    const draft = await this.#attempt(() => this.#create(message, deadline));
    if ('kind' in draft) return draft;
    if (listRecipients(draft) !== 1) {
      await this.#discard(draft.id);
      return toPermanentRefusal({
        stage: 'recipient',
        message: 'The message does not name exactly one recipient in its headers',
      });
    }
    if (signal?.aborted || !(await this.#mayGo(beforeHandover, draft.id))) {
      await this.#discard(draft.id);
      return { kind: 'withheld' };
    }
    const outcome = await this.#handOver(draft, deadline);
    // An ambiguous send keeps its draft for `findSent`.
    if (outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous') await this.#discard(draft.id);
    return outcome;
  }

  async findSent(messageId: string, { draftId }: SendHandle): Promise<SentLookup> {
    const draft = draftId === null ? null : await this.#readDraft(draftId);
    if (draft && draft.item.isDraft === false) return sent(draft.item);
    if (draft) return this.#stillDraft(draft.item, draft.at);
    const id = await this.folders.idOf('sent');
    if (id === null) return { state: 'unknown' };
    const query = { $filter: `internetMessageId eq ${quoteText(messageId)}`, $select: 'conversationId', $top: 1 };
    const path = `/me/mailFolders/sentitems/messages${getQuery(query)}`;
    const { value } = await this.client.page<Draft>(path, 'GET /mailFolders/sentitems/messages');
    return value[0] ? sent(value[0]) : { state: 'unknown' };
  }

  /**
   * A draft that has stayed in the drafts folder for long enough was not sent. It is moved to the deleted items, so that a delayed
   * send request does not find it and no user sends it after a retry. It is proof there as well, so that a repeated call returns
   * the same result.
   */
  async #stillDraft(draft: Draft, at: Date): Promise<SentLookup> {
    const role = await this.folders.roleOf(String(draft.parentFolderId));
    if (role === 'trash') return { state: 'not_sent' };
    const touched = Date.parse(draft.lastModifiedDateTime ?? '');
    const isSettled = role === 'drafts' && at.getTime() - touched >= this.settleMs;
    if (!isSettled) return { state: 'unknown' };
    try {
      await this.client.json({
        method: 'POST',
        path: `/me/messages/${encodeURIComponent(draft.id)}/move`,
        command: 'POST /messages/{id}/move',
        repeatable: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ destinationId: 'deleteditems' }),
      });
    } catch (error) {
      if (isGraphNotFound(error)) return { state: 'unknown' };
      throw error;
    }
    const after = await this.#readDraft(draft.id);
    if (after?.item.isDraft === false) return sent(after.item);
    return { state: after ? 'not_sent' : 'unknown' };
  }

  async #readDraft(id: string): Promise<{ item: Draft; at: Date } | null> {
    try {
      const { body, at } = await this.client.json<Draft>({
        method: 'GET',
        path: `/me/messages/${encodeURIComponent(id)}${getQuery(LOOKUP_FIELDS)}`,
        command: 'GET /messages/{id}',
        repeatable: true,
      });
      return { item: { ...body, id }, at };
    } catch (error) {
      if (isGraphNotFound(error)) return null;
      throw error;
    }
  }

  /**
   * Creates the draft. After a lost connection (mostly an idle one closed by the server) it is created again unless it exists. A second
   * draft sends nothing.
   */
  async #create(message: ComposedMessage, deadline: AbortSignal | undefined): Promise<Draft> {
    await this.#sweep();
    try {
      return await this.#post(message, deadline);
    } catch (error) {
      if (!(error instanceof GraphError) || !error.isSent || deadline?.aborted) throw error;
      return (await this.#made(message)) ?? (await this.#post(message, deadline));
    }
  }

  async #post({ raw }: ComposedMessage, deadline: AbortSignal | undefined): Promise<Draft> {
    const { body } = await this.client.json<Draft | null>({
      method: 'POST',
      path: '/me/messages',
      command: 'POST /messages',
      repeatable: false,
      headers: { 'content-type': 'text/plain' },
      body: raw.toString('base64'),
      ...(deadline && { signal: deadline }),
    });
    if (typeof body?.id === 'string' && body.id !== '') return body;
    throw new GraphError({
      failure: 'temporary',
      stage: 'data',
      message: 'Microsoft Graph made a draft without an id',
    });
  }

  async #made({ messageId }: ComposedMessage): Promise<Draft | null> {
    const $select = 'conversationId,toRecipients,ccRecipients,bccRecipients';
    const query = getQuery({ $filter: `internetMessageId eq ${quoteText(messageId)}`, $select, $top: 1 });
    const { value } = await this.client.page<Draft>(
      `/me/mailFolders/drafts/messages${query}`,
      'GET /mailFolders/drafts/messages',
    );
    return value[0] ?? null;
  }

  async #mayGo(ask: SendOptions['beforeHandover'], draftId: string): Promise<boolean> {
    try {
      return await ask({ draftId });
    } catch (error) {
      await this.#discard(draftId);
      throw error;
    }
  }

  async #handOver(draft: Draft, deadline: AbortSignal | undefined): Promise<Accepted | NotAccepted> {
    const path = `/me/messages/${encodeURIComponent(draft.id)}/send`;
    try {
      const signal = deadline && { signal: deadline };
      await this.client.json({ method: 'POST', path, command: SEND, repeatable: false, ...signal });
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return toAccepted(error, !isGraphNotFound(error) || (await this.#isStillDraft(draft.id)));
    }
    const lastReply = toServerReply({ code: 202, command: SEND, response: '202 Accepted' });
    return { kind: 'accepted', lastReply, providerMessageId: draft.id, providerThreadId: getConversation(draft) };
  }

  /**
   * A draft is not found for a moment after its creation, or because a proxy repeated the request and it was sent already.
   */
  async #isStillDraft(id: string): Promise<boolean> {
    const found = await this.#readDraft(id).catch(() => null);
    return found?.item.isDraft === true;
  }

  async #attempt(create: () => Promise<Draft>): Promise<Draft | NotAccepted> {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      // Nothing was sent, whether or not the draft exists.
      const stage = error.stage === 'request' ? 'data' : error.stage;
      return { kind: error.failure, ...toMailFailure(error), stage };
    }
  }

  /** Best effort: the draft of a message that was not sent does not affect the outcome. */
  async #discard(id: string): Promise<void> {
    try {
      await this.client.json({
        method: 'DELETE',
        path: `/me/messages/${encodeURIComponent(id)}`,
        command: 'DELETE /messages/{id}',
        repeatable: false,
      });
      this.#litter.delete(id);
    } catch (error) {
      if (isGraphNotFound(error)) this.#litter.delete(id);
      else if (this.#litter.size < MAX_LITTER) this.#litter.add(id);
    }
  }

  async #sweep(): Promise<void> {
    const [id] = this.#litter;
    if (id !== undefined) await this.#discard(id);
  }
}

/**
 * Classifies a failure of the send request. A 4xx proves that it was not accepted. A 5xx does not: Graph's front end answers 500, 503 and
 * 504 for mail that its back end then sends.
 * @param isThere whether the draft is known to exist
 */
function toAccepted(error: MailError, isThere: boolean): NotAccepted {
  const status = error instanceof GraphError ? error.status : null;
  const isSent = error instanceof GraphError && error.isSent;
  if (!isThere || isSent || (status !== null && (status >= 500 || status < 400))) {
    const message = 'Microsoft Graph was asked to send the message and did not confirm it';
    return { kind: 'ambiguous', ...toMailFailure(error), failure: 'ambiguous', stage: 'handover', message };
  }
  // Not found a moment ago, but still a draft.
  const failure = isGraphNotFound(error) ? 'temporary' : error.failure;
  return { kind: failure, ...toMailFailure(error), failure, stage: failure === 'needs-human' ? 'login' : 'handover' };
}

function toPermanentRefusal(failed: Pick<MailFailure, 'stage' | 'message'>): NotAccepted {
  return { kind: 'permanent', failure: 'permanent', lastReply: null, retryAfterMs: null, ...failed };
}

function toMailFailure({ failure, stage, message, lastReply, retryAfterMs }: MailError): MailFailure {
  return { failure, stage, message, lastReply, retryAfterMs };
}

function sent(item: Draft): SentLookup {
  return { state: 'sent', providerMessageId: item.id, providerThreadId: getConversation(item) };
}

function getConversation({ conversationId }: Draft): string | null {
  return typeof conversationId === 'string' ? conversationId : null;
}

/** Graph sends to the recipients of the headers, not to an envelope: a comma in a name must not create a second one. */
function listRecipients({ toRecipients, ccRecipients, bccRecipients }: Draft): number {
  return [toRecipients, ccRecipients, bccRecipients].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
}
