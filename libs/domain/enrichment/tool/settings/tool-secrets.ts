import { type Types } from 'mongoose';

export const TOOL_SECRETS = ['webhookUrl', 'authToken', 'signingSecret'] as const;
export type ToolSecret = (typeof TOOL_SECRETS)[number];

/** Whom a secret of a tool is sealed for: copied to another workspace or into another field, it stays shut. */
export function toolSecretOwner(workspaceId: Types.ObjectId | string, secret: ToolSecret): string {
  return `${String(workspaceId)}/enrichment-tool/${secret}`;
}
