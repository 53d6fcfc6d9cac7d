import { type Types } from 'mongoose';

/** The sealed fields of a connection. */
export const CONNECTION_SECRETS = ['apiKey', 'refreshToken', 'accessToken'] as const;
export type ConnectionSecret = (typeof CONNECTION_SECRETS)[number];

/** The owner for which a secret is sealed: a copy in another connection, workspace or field cannot be opened. */
export function connectionSecretOwner(
  workspaceId: Types.ObjectId | string,
  connectionId: Types.ObjectId | string,
  secret: ConnectionSecret,
): string {
  return `${String(workspaceId)}/${String(connectionId)}/crm/${secret}`;
}
