import { type Types } from 'mongoose';

export const TOOL_SECRETS = ['webhookUrl', 'authToken', 'signingSecret'] as const;
export type ToolSecret = (typeof TOOL_SECRETS)[number];

/** The owner under which a secret is encrypted: copied to another workspace or field, it cannot be decrypted. */
export function toolSecretOwner(workspaceId: Types.ObjectId | string, secret: ToolSecret): string {
  return `${String(workspaceId)}/enrichment-tool/${secret}`;
}
