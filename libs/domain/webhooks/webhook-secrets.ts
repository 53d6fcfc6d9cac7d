import { randomBytes } from 'node:crypto';
import { type Types } from 'mongoose';

export const WEBHOOK_SECRETS = ['secret', 'previousSecret'] as const;
export type WebhookSecret = (typeof WEBHOOK_SECRETS)[number];

/** Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A new signing secret in the format of Standard Webhooks: `whsec_` and base64. */
export function createSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The owner to which a secret is sealed: copied to another webhook or workspace, it cannot be opened. Both fields
 * share it, because a rotation moves the sealed value.
 */
export function getWebhookSecretOwner(
  workspaceId: Types.ObjectId | string,
  webhookId: Types.ObjectId | string,
): string {
  return `${String(workspaceId)}/${String(webhookId)}/webhook`;
}
