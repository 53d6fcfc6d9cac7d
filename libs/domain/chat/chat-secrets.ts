import { type Types } from 'mongoose';

/** The owner to which the secret is sealed: copied to another connection or workspace, it cannot be opened. */
export function chatSecretOwner(workspaceId: Types.ObjectId | string, connectionId: Types.ObjectId | string): string {
  return `${String(workspaceId)}/${String(connectionId)}/chat/secret`;
}
