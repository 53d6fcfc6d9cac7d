import { type EventRecord } from '@domain/events';

type Linked = Pick<EventRecord, 'type' | 'campaignId' | 'mailboxId' | 'data'>;

/** The address of an event's details; null without any. Pure. */
export function getEventUrl(event: Linked, publicUrl: string): string | null {
  const path = getEventPath(event);
  return path === null ? null : `${apiUrl(publicUrl)}/${path}`;
}

/** The address of the message log. */
export function getMessagesUrl(publicUrl: string): string {
  return `${apiUrl(publicUrl)}/integrations/slack/messages`;
}

function getEventPath({ type, campaignId, mailboxId, data }: Linked): string | null {
  const { conversationId, testId, jobId, webhookId, agentId } = data;
  if (isId(conversationId)) return `inbox/${conversationId}`;
  if (type === 'blacklist.completed' && isId(testId)) return `blacklist-tests/${testId}`;
  if (type === 'enrichment.completed' && isId(jobId)) return `enrichment/jobs/${jobId}`;
  if (type === 'crm.sync_completed' && isId(jobId)) return `integrations/crm/jobs/${jobId}`;
  if (type === 'webhook.disabled' && isId(webhookId)) return `webhooks/${webhookId}`;
  if (type === 'agent.trained' && isId(agentId)) return `agents/${agentId}`;
  if (type === 'mailbox.deleted') return null;
  if (type.startsWith('mailbox.') && mailboxId !== null) return `mailboxes/${mailboxId.toHexString()}`;
  return campaignId === null ? null : `campaigns/${campaignId.toHexString()}`;
}

/** Event data is ours, but parts of an address are validated anyway. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value);
}

function apiUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/v1`;
}
