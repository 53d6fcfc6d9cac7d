import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { type User } from '../../users/dto/user.dto';
import { UsersModule } from '../../users/users.module';
import { UsersService } from '../../users/users.service';
import { getModelToken } from '@nestjs/mongoose';
import { AppError } from '@platform/errors';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '../../../../testing';
import { type Model } from 'mongoose';
import { WorkspacesService } from '../workspaces.service';
import { InvitationsService, type Joiner } from '../invitations.service';
import { WorkspacesModule } from '../workspaces.module';

/** The services of this library on a separate database, with the users and workspaces of a spec. */
export class WorkspacesFixture {
  #serial = 0;

  private constructor(readonly database: TestDatabase) {}

  static async open(overrides: Record<string, string>): Promise<WorkspacesFixture> {
    const imports = [QueuesModule, UsersModule, WorkspacesModule];
    return new WorkspacesFixture(await openTestDatabase({ imports }, overrides));
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service);
  }

  model<T>(record: string): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record));
  }

  async newUser(): Promise<User> {
    this.#serial += 1;
    return this.get(UsersService).create({ email: `user${this.#serial}@example.com`, name: `User ${this.#serial}` });
  }

  async newWorkspace(owner?: User): Promise<{ owner: User; scope: WorkspaceScope }> {
    const by = owner ?? (await this.newUser());
    const { id } = await this.get(WorkspacesService).createFor(by.id, { name: 'Acme' }, systemActor('operator'));
    return { owner: by, scope: getScope(id, by.id) };
  }

  async join(scope: WorkspaceScope, user: User, role: 'admin' | 'member' = 'member'): Promise<void> {
    const { token } = await this.get(InvitationsService).invite(scope, { email: user.email, role });
    await this.get(InvitationsService).accept(token, as(user));
  }
}

/** A user acting in a workspace. */
export function getScope(workspaceId: string, userId: string, role: WorkspaceScope['role'] = 'owner'): WorkspaceScope {
  return { ...systemScope(workspaceId), role, actor: { kind: 'user', userId, keyId: null } };
}

export function as(user: User): () => Promise<Joiner> {
  return () => Promise.resolve({ userId: user.id, keyId: null });
}

/** The fulfilled results and the codes of the rejected ones; any other failure is thrown. */
export async function settleAll<T>(...attempts: Promise<T>[]): Promise<{ won: T[]; refused: string[] }> {
  const settled = await Promise.allSettled(attempts);
  const won = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = settled.flatMap((one) => {
    if (one.status === 'fulfilled') return [];
    if (one.reason instanceof AppError) return [one.reason.code];
    throw one.reason;
  });
  return { won, refused };
}

/** The error code of a rejected call. */
export async function getErrorCode(attempt: Promise<unknown>): Promise<string | undefined> {
  return (await settleAll(attempt)).refused[0];
}
