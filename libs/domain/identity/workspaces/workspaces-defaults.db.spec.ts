import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { type User } from '../users/dto/user.dto';
import { UsersService } from '../users/users.service';
import { rounds } from '../../../testing';
import { Types } from 'mongoose';
import { WorkspacesFixture, as, settleAll } from './testing/workspaces-fixture';
import { WorkspacesService } from './workspaces.service';
import { WorkspaceDeletionService } from './workspace-deletion.service';
import { InvitationsService } from './invitations.service';
import { WorkspaceMembersService } from './workspace-members.service';

/** The winner of a race depends on chance, so each race runs this many times. */
const ROUNDS = Array.from({ length: rounds(12, 2) }, (_, index) => index);

let fixture: WorkspacesFixture;

beforeAll(async () => {
  fixture = await WorkspacesFixture.open({});
});
afterAll(() => fixture.database.close());

const get = <T>(service: abstract new (...args: never[]) => T): T => fixture.get(service);
const defaultOf = async ({ id }: User) => (await get(UsersService).byId(id))?.defaultWorkspaceId;
const remove = (scope: WorkspaceScope) => get(WorkspaceDeletionService).delete(scope);

/** A user who is a member of `count` workspaces of others; the first is their default. */
async function memberOf(count: number): Promise<{ user: User; scopes: WorkspaceScope[] }> {
  const user = await fixture.newUser();
  const scopes: WorkspaceScope[] = [];
  for (let made = 0; made < count; made += 1) {
    const { scope } = await fixture.newWorkspace();
    await fixture.join(scope, user);
    scopes.push(scope);
  }
  return { user, scopes };
}

describe('the default workspace of a user', () => {
  it.each(ROUNDS)('is none when both of their workspaces are deleted concurrently (%i)', async () => {
    const { user, scopes } = await memberOf(2);
    const { won } = await settleAll(...scopes.map(remove));
    expect(won).toHaveLength(2);
    expect(await defaultOf(user)).toBeNull();
  });

  it.each(ROUNDS)('is the remaining one when two of three are deleted concurrently (%i)', async () => {
    const { user, scopes } = await memberOf(3);
    await settleAll(...scopes.slice(0, 2).map(remove));
    expect(await defaultOf(user)).toBe(scopes[2]?.workspaceId);
  });

  it.each(ROUNDS)('is the one that they join while the other is deleted (%i)', async () => {
    const { user, scopes } = await memberOf(1);
    const { scope } = await fixture.newWorkspace();
    const { token } = await get(InvitationsService).invite(scope, { email: user.email });
    await settleAll<unknown>(remove(scopes[0]!), get(InvitationsService).accept(token, as(user)));
    expect(await defaultOf(user)).toBe(scope.workspaceId);
  });

  it.each(ROUNDS)('is none when they are removed from one while the other is deleted (%i)', async () => {
    const { user, scopes } = await memberOf(2);
    await settleAll(remove(scopes[0]!), get(WorkspaceMembersService).remove(scopes[1]!, user.id));
    expect(await defaultOf(user)).toBeNull();
  });

  it.each(ROUNDS)('is the one that is restored while the other is deleted (%i)', async () => {
    const { user, scopes } = await memberOf(2);
    await remove(scopes[0]!);
    const restored = systemScope(scopes[0]!.workspaceId, 'operator');
    await settleAll<unknown>(remove(scopes[1]!), get(WorkspaceDeletionService).restore(restored));
    expect(await defaultOf(user)).toBe(restored.workspaceId);
  });

  it('is replaced for each member by the workspace that they joined first', async () => {
    const [doomed, first, second] = [
      await fixture.newWorkspace(),
      await fixture.newWorkspace(),
      await fixture.newWorkspace(),
    ];
    const users = [await fixture.newUser(), await fixture.newUser(), await fixture.newUser()];
    for (const user of users) await fixture.join(doomed.scope, user);
    await fixture.join(second.scope, users[0]!);
    for (const user of users.slice(0, 2)) await fixture.join(first.scope, user);
    await remove(doomed.scope);
    expect(await Promise.all(users.map(defaultOf))).toEqual([second.scope.workspaceId, first.scope.workspaceId, null]);
  });

  it('becomes a new workspace even when the previous one is deleted', async () => {
    const owner = await fixture.newUser();
    await get(UsersService).giveDefaultWorkspace([owner.id], new Types.ObjectId().toHexString());
    const { id } = await get(WorkspacesService).createFor(owner.id, { name: 'New' }, systemActor('operator'));
    expect(await defaultOf(owner)).toBe(id);
  });
});
