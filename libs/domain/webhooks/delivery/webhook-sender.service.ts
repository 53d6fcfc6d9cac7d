import { CampaignRepository } from '@domain/campaigns';
import { type EventRecord } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { SecretBoxService } from '@platform/secrets';
import { type Types } from 'mongoose';
import { Webhook } from 'standardwebhooks';
import { type AttemptTrigger } from '../schemas/webhook-delivery.record';
import { type WebhookRecord } from '../schemas/webhook.record';
import { getWebhookSecretOwner } from '../webhook-secrets';
import { composeWebhookBody } from '../message/webhook-message';
import { type CompletedAttempt } from './delivery-decision';
import { toFailedResult, RESPONSE_BYTES, type AttemptResult, toAttemptResult } from './attempt-result';

/** The fields of a webhook that a request needs. */
export type Receiver = Pick<
  WebhookRecord,
  '_id' | 'workspaceId' | 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil' | 'timeoutMs'
>;

/** The message: each attempt sends the same bytes under the same id. */
export interface SignedMessage {
  readonly id: string;
  readonly body: string;
}

export interface SentAttempt extends CompletedAttempt {
  readonly verdict: AttemptResult;
}

const USER_AGENT = 'Outreach-Webhooks/1.0';

/** Composes messages and sends them to receivers, signed by Standard Webhooks (standardwebhooks.com, 1.0.0). */
@Injectable()
export class WebhookSenderService {
  constructor(
    private readonly http: OutboundHttpClient,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
    private readonly campaigns: CampaignRepository,
    private readonly mailboxes: MailboxRepository,
  ) {}

  /**
   * Makes one attempt. A network error is a failed attempt.
   * @throws the reason of `signal` when aborted: whether the receiver has the message is then unknown
   */
  async send(
    receiver: Receiver,
    { id, body }: SignedMessage,
    trigger: AttemptTrigger,
    signal?: AbortSignal,
  ): Promise<SentAttempt> {
    const at = this.clock.now();
    const started = performance.now();
    const verdict = await this.#request(receiver, { id, body }, at, signal);
    const durationMs = Math.round(performance.now() - started);
    const { status, error, response, truncated } = verdict;
    return { attempt: { at, trigger, durationMs, status, error, response, truncated }, verdict };
  }

  /**
   * Composes the body of each event, with two queries at most; the events may belong to several workspaces. Webhooks
   * of the same event share the body. Joins a running transaction.
   */
  async composeBodies<T extends { readonly event: EventRecord }>(
    inputs: readonly T[],
  ): Promise<(T & { body: string })[]> {
    const events = [...new Set(inputs.map(({ event }) => event))];
    const names = await this.campaigns.names(toDistinctIds(events.map(({ campaignId }) => campaignId)));
    const addresses = await this.mailboxes.addresses(toDistinctIds(events.map(({ mailboxId }) => mailboxId)));
    const bodies = new Map<EventRecord, string>();
    return inputs.map((input) => {
      const { event } = input;
      const campaignName = (event.campaignId && names.get(event.campaignId.toHexString())) ?? null;
      const mailboxEmail = (event.mailboxId && addresses.get(event.mailboxId.toHexString())) ?? null;
      const body = bodies.get(event) ?? composeWebhookBody(event, { campaignName, mailboxEmail });
      bodies.set(event, body);
      return { ...input, body };
    });
  }

  async #request(receiver: Receiver, signed: SignedMessage, at: Date, signal?: AbortSignal): Promise<AttemptResult> {
    let answer: OutboundResponse;
    try {
      answer = await this.http.request({
        url: receiver.url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': USER_AGENT,
          'webhook-id': signed.id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': this.#signatures(receiver, signed, at),
        },
        body: signed.body,
        timeoutMs: receiver.timeoutMs,
        maxResponseBytes: RESPONSE_BYTES,
        keepIncomplete: true,
        ...(signal && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      return toFailedResult(error);
    }
    return toAttemptResult(answer);
  }

  /** One signature per valid secret: during a rotation the receiver may know either. */
  #signatures(
    { _id, workspaceId, secret, previousSecret, previousSecretUntil }: Receiver,
    signed: SignedMessage,
    at: Date,
  ): string {
    const owner = getWebhookSecretOwner(workspaceId, _id);
    const former =
      previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at ? [previousSecret] : [];
    return [secret, ...former]
      .map((encrypted) => new Webhook(this.box.open(encrypted, owner)).sign(signed.id, at, signed.body))
      .join(' ');
  }
}

/** Older events lack the field. */
function toDistinctIds(ids: readonly (Types.ObjectId | null | undefined)[]): Types.ObjectId[] {
  return [...new Map(ids.flatMap((id) => (id ? [[id.toHexString(), id] as const] : []))).values()];
}
