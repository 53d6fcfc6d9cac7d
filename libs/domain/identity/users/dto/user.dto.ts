import { EmailField, NameField } from '@platform/validation';
import { type UserRecord } from '../schemas/user.record';

/** Whom the operator, or an invitation, makes a user. */
export class NewUser {
  @EmailField()
  email!: string;

  @NameField()
  name!: string;
}

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
