import { type Types } from 'mongoose';

/** The sealed fields of a connection. */
export const CONNECTION_SECRETS = ['apiKey', 'refreshToken', 'accessToken'] as const;
export type ConnectionSecret = (typeof CONNECTION_SECRETS)[number];

/** Whom a secret of a connection is sealed for: copied to another connection, workspace or field, it stays shut. */
export function connectionSecretOwner(
  workspaceId: Types.ObjectId | string,
  connectionId: Types.ObjectId | string,
  secret: ConnectionSecret,
): string {
  return `${String(workspaceId)}/${String(connectionId)}/crm/${secret}`;
}
