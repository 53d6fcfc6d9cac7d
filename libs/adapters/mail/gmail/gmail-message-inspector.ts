import { MailError } from '../port/mail.errors';
import { type GmailClient } from './gmail.client';
import { SUMMARY_HEADERS } from './gmail-headers';
import { isGmailNotFound } from './gmail-failures';
import { type GmailMessage } from './gmail-resources';

/** The data of a message that a sync needs. */
export interface Engagement {
  readonly kind: 'seen';
  readonly message: GmailMessage;
  readonly labels: readonly string[];
  readonly receivedAt: Date;
}

/** Gmail has it but does not return it. `labels` are null when they are unavailable too. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
  readonly labels: readonly string[] | null;
}

export type MessageInspection = Engagement | Unreadable | { readonly kind: 'absent' };

/** Maximum failed syncs over one message before it is skipped: a short outage must not lose mail. */
const MAX_STRIKES = 3;
/** Maximum messages with a failure count; the oldest count is dropped first. */
const MAX_COUNTED = 200;

/** Reads single messages, and counts for which of them Gmail fails repeatedly. */
export class GmailMessageInspector {
  readonly #strikes = new Map<string, number>();

  constructor(private readonly client: GmailClient) {}

  /** @throws MailError when Gmail, and not the message, is the trouble */
  async at(id: string, signal: AbortSignal | undefined): Promise<MessageInspection> {
    try {
      const message = await this.client.json<GmailMessage>({
        method: 'GET',
        path: 'messages/{}',
        ids: [id],
        query: { format: 'metadata', metadataHeaders: SUMMARY_HEADERS },
        signal,
      });
      this.#strikes.delete(id);
      return toInspection(message);
    } catch (error) {
      if (isGmailNotFound(error)) return { kind: 'absent' };
      if (!(error instanceof MailError) || !this.#isPassedOver(id, error)) throw error;
      return { kind: 'unreadable', reason: error.message, labels: await this.#labels(id, signal) };
    }
  }

  #isPassedOver(id: string, { failure, lastReply }: MailError): boolean {
    if (failure === 'permanent') return true;
    const isFaultOfOne = failure === 'temporary' && (lastReply?.code === '200' || lastReply?.code?.startsWith('5'));
    if (!isFaultOfOne) return false;
    const strikes = (this.#strikes.get(id) ?? 0) + 1;
    this.#strikes.delete(id);
    if (strikes >= MAX_STRIKES) return true;
    this.#strikes.set(id, strikes);
    const oldest = this.#strikes.keys().next();
    if (this.#strikes.size > MAX_COUNTED && !oldest.done) this.#strikes.delete(oldest.value);
    return false;
  }

  /** Gmail may still return the folder without the content. */
  async #labels(id: string, signal: AbortSignal | undefined): Promise<readonly string[] | null> {
    try {
      const call = { method: 'GET', path: 'messages/{}', ids: [id], query: { format: 'minimal' }, signal } as const;
      return (await this.client.json<GmailMessage>(call)).labelIds ?? null;
    } catch {
      return null; // The labels are unreadable too, which the caller handles.
    }
  }
}

function toInspection(message: GmailMessage): MessageInspection {
  const { internalDate, payload, labelIds } = message;
  const labels = Array.isArray(labelIds) ? (labelIds as string[]) : [];
  const receivedAt = new Date(Number(internalDate ?? 'none'));
  if (typeof payload !== 'object' || payload === null || Number.isNaN(receivedAt.getTime())) {
    return { kind: 'unreadable', reason: 'Gmail returns neither headers nor time of the message', labels };
  }
  return { kind: 'seen', message, labels, receivedAt };
}
