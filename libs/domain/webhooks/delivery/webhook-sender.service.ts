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
import { getSecretOwner } from '../webhook-secrets';
import { composeWebhookBody } from '../message/webhook-message';
import { type CompletedAttempt } from './delivery-decision';
import { toFailedResult, RESPONSE_BYTES, type AttemptResult, toAttemptResult } from './attempt-result';

/** A webhook as far as a request to it is concerned. */
export type Receiver = Pick<
  WebhookRecord,
  '_id' | 'workspaceId' | 'url' | 'secret' | 'formerSecret' | 'formerSecretUntil' | 'timeoutMs'
>;

/** What is sent: the same bytes under the same id, however often. */
export interface SignedMessage {
  readonly id: string;
  readonly body: string;
}

export interface SentAttempt extends CompletedAttempt {
  readonly verdict: AttemptResult;
}

const USER_AGENT = 'Outreach-Webhooks/1.0';

/** Makes one request to a receiver, signed as Standard Webhooks has it (standardwebhooks.com, 1.0.0). */
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
   * One attempt. What goes wrong on the way is an attempt that failed.
   * @throws the reason of `signal`, when that ended it: then it is not known whether the receiver has it
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
   * Writes a body to each, of many events, which may be of several workspaces: two queries at most, and the same body for all
   * that are told of the same event. Joins a running transaction.
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

  /** One for each secret that is valid: during a rotation the receiver may know either. */
  #signatures(
    { _id, workspaceId, secret, formerSecret, formerSecretUntil }: Receiver,
    signed: SignedMessage,
    at: Date,
  ): string {
    const owner = getSecretOwner(workspaceId, _id);
    const former = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > at ? [formerSecret] : [];
    return [secret, ...former]
      .map((sealed) => new Webhook(this.box.open(sealed, owner)).sign(signed.id, at, signed.body))
      .join(' ');
  }
}

/** Events that were recorded without one have none at all. */
function toDistinctIds(ids: readonly (Types.ObjectId | null | undefined)[]): Types.ObjectId[] {
  return [...new Map(ids.flatMap((id) => (id ? [[id.toHexString(), id] as const] : []))).values()];
}
