import { type Types } from 'mongoose';

/** Whom the secret of a connection is sealed for: copied to another connection or workspace, it stays shut. */
export function chatSecretOwner(workspaceId: Types.ObjectId | string, connectionId: Types.ObjectId | string): string {
  return `${String(workspaceId)}/${String(connectionId)}/chat/secret`;
}
