import { type EventRecord } from '@domain/events';
import { type MessageSubject } from './message-shape';

/** The body of a message; `id` is also the `webhook-id` header of Standard Webhooks. */
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

/** Names of the subjects of an event; null for deleted ones. */
export type MessageContext = Pick<MessageSubject, 'mailboxEmail' | 'campaignName'>;

/** The message of an event, as the bytes that each attempt sends. */
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
