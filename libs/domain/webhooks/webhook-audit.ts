import { getChanges } from '@domain/audit';
import { type WebhookRecord } from './schemas/webhook.record';

const FIELDS = ['name', 'url', 'events', 'retryAttempts', 'timeoutMs', 'status'] as const;

/** The audited settings; never the secret. */
export function getAuditedWebhookChanges(before: WebhookRecord | null, after: WebhookRecord | null) {
  return getChanges(before, after, FIELDS);
}

export function toWebhookTarget(webhookId: { toString(): string }) {
  return { type: 'webhook', id: String(webhookId) } as const;
}
