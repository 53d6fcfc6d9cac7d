import { MailError, toServerReply } from '../port/mail.errors';
import {
  type ComposedMessage,
  type NotAccepted,
  type SendHandle,
  type SendOptions,
  type SendOutcome,
  type SentLookup,
} from '../port/send';
import { type GmailCall, type GmailClient } from './gmail.client';
import { joinSignals } from '../concurrency/joined-signal';
import { isGmailConnectionFailure, isGmailNotFound } from './gmail-failures';
import { createMessageUpload } from './gmail-upload';
import { type GmailDraft, type GmailMessage, type GmailMessages } from './gmail-resources';

const MAX_ANSWER = 64 * 1024;

/**
 * Sends in two steps to have proof: creates a draft, then `drafts.send` converts it to a sent message atomically. While the draft exists,
 * nothing was sent. Gmail keeps the Message-ID of the draft.
 */
export class GmailSender {
  constructor(private readonly client: GmailClient) {}

  async send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    const { beforeHandover, threadId, signal, deadline } = options;
    if (signal?.aborted) return { kind: 'withheld' };
    const stop = joinSignals(signal, deadline);
    let draftId: string;
    try {
      draftId = await this.#draft(message, threadId, stop.signal);
    } catch (error) {
      return signal?.aborted ? { kind: 'withheld' } : toNotAccepted(error);
    } finally {
      stop.done();
    }
    let isAllowed = false;
    try {
      isAllowed = (await beforeHandover({ draftId })) && !signal?.aborted;
    } finally {
      if (!isAllowed) await this.#discard(draftId);
    }
    return isAllowed ? this.#handOver(draftId, deadline) : { kind: 'withheld' };
  }

  async findSent(messageId: string, { draftId }: SendHandle): Promise<SentLookup> {
    const sent = await this.#search(messageId);
    if (sent) return { state: 'sent', providerMessageId: sent.id ?? null, providerThreadId: sent.threadId ?? null };
    if (draftId === null) return { state: 'unknown' };
    try {
      await this.client.json<GmailDraft>({
        method: 'GET',
        path: 'drafts/{}',
        ids: [draftId],
        query: { format: 'minimal' },
      });
      return { state: 'not_sent' };
    } catch (error) {
      if (isGmailNotFound(error)) return { state: 'unknown' };
      throw error;
    }
  }

  /**
   * Creates the draft; after a failure it tries to leave none behind. It retries once after a lost connection: Gmail closes idle
   * connections without notice, and a second draft sends nothing.
   */
  async #draft(
    message: ComposedMessage,
    threadId: string | undefined,
    signal: AbortSignal | undefined,
    isRepeated = false,
  ): Promise<string> {
    try {
      const { id } = await this.#create(message.raw, threadId, signal);
      if (id) return id;
      throw new MailError({ failure: 'temporary', stage: 'data', message: 'Gmail made a draft without an id' });
    } catch (error) {
      const isRefused = error instanceof MailError && /^[34]/.test(error.lastReply?.code ?? '');
      if (!isRefused) await this.#discardAbandonedDraft(message.messageId);
      if (isRepeated || signal?.aborted || !isGmailConnectionFailure(error)) throw error;
      return this.#draft(message, threadId, signal, true);
    }
  }

  async #create(raw: Buffer, threadId: string | undefined, signal: AbortSignal | undefined): Promise<GmailDraft> {
    const fields = threadId === undefined ? {} : { threadId };
    const upload = createMessageUpload(raw, fields, (message) => ({ message }));
    try {
      return await this.client.json<GmailDraft>({
        method: 'POST',
        path: 'drafts',
        once: true,
        stage: 'data',
        signal,
        ...upload,
      });
    } catch (error) {
      const code = error instanceof MailError ? error.lastReply?.code : null;
      // The conversation was deleted (404) or belongs to another mailbox (400): the message's own references still thread it.
      if (threadId !== undefined && (code === '404' || code === '400')) return this.#create(raw, undefined, signal);
      throw error;
    }
  }

  async #handOver(draftId: string, deadline: AbortSignal | undefined): Promise<SendOutcome> {
    const call: GmailCall = {
      method: 'POST',
      path: 'drafts/send',
      json: { id: draftId },
      once: true,
      stage: 'handover',
      signal: deadline,
    };
    try {
      const answer = await this.client.open(call);
      // Status 200 is the acceptance: a truncated body only loses the ids.
      const response = await this.client.text(answer, call, MAX_ANSWER).catch(() => '');
      const { id, threadId } = parseSentMessage(response);
      return {
        kind: 'accepted',
        lastReply: toServerReply({ code: answer.status, command: 'POST drafts/send', response }),
        providerMessageId: id ?? null,
        providerThreadId: threadId ?? null,
      };
    } catch (error) {
      const outcome = toNotAccepted(error);
      // A proxy that repeats the request gets this answer for a draft that the first request sent.
      if (isGmailNotFound(error)) return { ...outcome, kind: 'ambiguous', failure: 'ambiguous' };
      if (outcome.kind !== 'ambiguous') await this.#discard(draftId);
      return outcome;
    }
  }

  /** A remaining draft is harmless: only the outcome of the send matters. */
  async #discard(draftId: string): Promise<void> {
    await this.client.json({ method: 'DELETE', path: 'drafts/{}', ids: [draftId] }).catch(() => undefined);
  }

  /** Deletes a draft whose creation got no response: it may exist under an unknown id. */
  async #discardAbandonedDraft(messageId: string): Promise<void> {
    const q = toSearchQuery(messageId);
    if (q === null) return;
    try {
      const { drafts = [] } = await this.client.json<{ drafts?: readonly GmailDraft[] }>({
        method: 'GET',
        path: 'drafts',
        query: { q },
      });
      for (const { id } of drafts) if (id) await this.#discard(id);
    } catch {
      // As above.
    }
  }

  async #search(messageId: string): Promise<GmailMessage | null> {
    const q = toSearchQuery(messageId);
    if (q === null) return null;
    const { messages = [] } = await this.client.json<GmailMessages>({
      method: 'GET',
      path: 'messages',
      // Also when its author has deleted it since.
      query: { q, labelIds: 'SENT', includeSpamTrash: 'true', maxResults: '1' },
    });
    return messages[0] ?? null;
  }
}

/** A search by Message-ID; null for one that the search would split into several words. */
function toSearchQuery(messageId: string): string | null {
  const id = messageId.trim().replace(/^<(.*)>$/, '$1');
  return /^[^\s"<>(){}]+$/.test(id) ? `rfc822msgid:${id}` : null;
}

function parseSentMessage(response: string): GmailMessage {
  try {
    return (JSON.parse(response) as GmailMessage | null) ?? {};
  } catch {
    return {};
  }
}

/** Nothing was submitted before the handover, regardless of the outcome of the draft request. */
function toNotAccepted(error: unknown): NotAccepted {
  if (!(error instanceof MailError)) throw error;
  const { stage, message, lastReply, retryAfterMs } = error;
  const failure = error.failure === 'ambiguous' && stage !== 'handover' ? 'temporary' : error.failure;
  return { kind: failure, failure, stage, message, lastReply, retryAfterMs };
}
