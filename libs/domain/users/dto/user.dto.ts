import { type UserRecord } from '../schemas/user.record';

/** A user as other domains and the CLI see one. */
export interface User {
  id: string;
  email: string;
  name: string;
  operator: boolean;
  defaultWorkspaceId: string | null;
  createdAt: string;
}

export function toUser(record: UserRecord): User {
  return {
    id: record._id.toHexString(),
    email: record.email,
    name: record.name,
    operator: record.operator,
    defaultWorkspaceId: record.defaultWorkspaceId?.toHexString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}
