import { type EventRecord } from '@domain/events';
import { type MessageSubject } from './message-shape';

/** What a receiver is told, besides the headers of Standard Webhooks: `id` is the `webhook-id`, too. */
export interface WebhookMessage {
  readonly id: string;
  readonly type: string;
  /** When it happened. */
  readonly timestamp: string;
  readonly workspaceId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Happening = Pick<
  EventRecord,
  '_id' | 'type' | 'at' | 'workspaceId' | 'mailboxId' | 'campaignId' | 'leadId' | 'data'
>;

/** Names of what an event is about; null for what there is no more. */
export type MessageContext = Pick<MessageSubject, 'mailboxEmail' | 'campaignName'>;

/** The message that tells of an event, as the bytes that every attempt sends. */
export function composeWebhookBody(event: Happening, { mailboxEmail, campaignName }: MessageContext): string {
  const { _id, type, at, workspaceId, mailboxId, campaignId, leadId, data } = event;
  const subject: MessageSubject = {
    mailboxId: mailboxId?.toHexString() ?? null,
    mailboxEmail,
    campaignId: campaignId?.toHexString() ?? null,
    campaignName,
    leadId: leadId?.toHexString() ?? null,
  };
  const message: WebhookMessage = {
    id: _id.toHexString(),
    type,
    timestamp: at.toISOString(),
    workspaceId: workspaceId.toHexString(),
    data: { ...subject, ...data },
  };
  return JSON.stringify(message);
}
