import { EmailField, NameField } from '@platform/validation';
import { type UserRecord } from '../schemas/user.record';

/** A user to be created by the operator or by an invitation. */
export class NewUser {
  @EmailField()
  email!: string;

  @NameField()
  name!: string;
}

/** A user as seen by other domains and the CLI. */
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
