import { randomBytes } from 'node:crypto';
import { type KeyScope, systemActor, systemScope } from '@domain/access';
import { type IssueKey, OperatorKeysService, UsersService, WorkspacesService } from '@domain/identity';
import { CreditsService } from '@domain/credits';
import { type INestApplicationContext } from '@nestjs/common';

/** A user with a platform key. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  key: string;
}

export interface SeededWorkspace {
  workspaceId: string;
  name: string;
  owner: Person;
  /** A workspace key with every scope. */
  key: string;
}

/** Creates the initial records of a test, as the operator would. */
export class Seed {
  constructor(private readonly app: INestApplicationContext) {}

  async person(input: { name?: string; operator?: boolean } = {}): Promise<Person> {
    const unique = randomBytes(5).toString('hex');
    const name = input.name ?? `Person ${unique}`;
    const email = `person-${unique}@example.com`;
    const user = await this.#get(UsersService).create({ email, name, operator: input.operator ?? false });
    return { userId: user.id, email, name, key: await this.userKey(user.id) };
  }

  /** A workspace with an owner, the owner's platform key and a workspace key. */
  async workspace(input: { name?: string; owner?: Person; credits?: number } = {}): Promise<SeededWorkspace> {
    const owner = input.owner ?? (await this.person());
    const name = input.name ?? 'Workspace';
    const { id } = await this.#get(WorkspacesService).createFor(owner.userId, { name }, systemActor('operator'));
    if (input.credits) {
      const grant = { amount: input.credits, reason: 'Seed', operation: `seed:${id}` };
      await this.#get(CreditsService).grant(systemScope(id), grant);
    }
    return { workspaceId: id, name, owner, key: await this.workspaceKey(id) };
  }

  async userKey(userId: string, input: Partial<IssueKey> = {}): Promise<string> {
    return (await this.#get(OperatorKeysService).issueForUser(userId, { name: 'Seeded', ...input })).key;
  }

  async workspaceKey(workspaceId: string, scopes?: KeyScope[]): Promise<string> {
    const input = { name: 'Seeded', ...(scopes ? { scopes } : {}) };
    return (await this.#get(OperatorKeysService).issueForWorkspace(systemScope(workspaceId), input)).key;
  }

  #get<T>(service: new (...args: never[]) => T): T {
    return this.app.get<T>(service, { strict: false });
  }
}
