import { type Principal, type WorkspaceScope, systemActor } from '@domain/access';
import { UsersService } from '../users/users.service';
import { type Model, Types } from 'mongoose';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspacesFixture, as, getErrorCode, getScope, settleAll } from './testing/workspaces-fixture';
import { WorkspaceDeletionService } from './workspace-deletion.service';
import { WorkspaceRepository } from './workspace.repository';
import { WorkspacesService } from './workspaces.service';
import { InvitationsService, type Joiner } from './invitations.service';
import { WorkspaceLimitsService } from './workspace-limits.service';
import { WorkspaceMembersService } from './workspace-members.service';

const DAY_MS = 86_400_000;
const CAP = 2;

let fixture: WorkspacesFixture;
let records: Model<WorkspaceRecord>;

beforeAll(async () => {
  fixture = await WorkspacesFixture.open({
    MAX_WORKSPACES_PER_USER: String(CAP),
    INVITATION_DAYS: '7',
    NEW_WORKSPACE_CREDITS: '50',
  });
  records = fixture.model(WorkspaceRecord.name);
});
afterAll(() => fixture.database.close());
afterEach(() => fixture.database.clock.reset());

const get = <T>(service: abstract new (...args: never[]) => T): T => fixture.get(service);

describe('a new workspace', () => {
  it('belongs to its creator, has the configured caps and credits, and becomes their default', async () => {
    const { owner, scope } = await fixture.newWorkspace();
    const made = await get(WorkspacesService).get(scope);
    expect(made).toEqual({
      id: scope.workspaceId,
      name: 'Acme',
      ownerId: owner.id,
      members: [{ userId: owner.id, role: 'owner', joinedAt: expect.any(String) }],
      settings: { allowMemberInvites: false, defaultRole: 'member' },
      limits: { maxMembers: 25, maxCampaigns: 1000, maxLeads: 1_000_000, maxMailboxes: 1000 },
      createdAt: expect.any(String),
    });
    expect((await get(UsersService).byId(owner.id))?.defaultWorkspaceId).toBe(scope.workspaceId);
    expect(await ledger(scope)).toEqual([50]);
  });

  it('does not become the default of a user who has one', async () => {
    const { owner, scope } = await fixture.newWorkspace();
    await fixture.newWorkspace(owner);
    expect((await get(UsersService).byId(owner.id))?.defaultWorkspaceId).toBe(scope.workspaceId);
  });

  it('is refused above the cap, even with two concurrent creations', async () => {
    const { owner } = await fixture.newWorkspace();
    const make = () => get(WorkspacesService).createFor(owner.id, { name: 'More' }, systemActor('operator'));
    const { won, refused } = await settleAll(make(), make(), make());
    expect(won).toHaveLength(CAP - 1);
    expect(refused).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']);
    expect(await records.countDocuments({ ownerId: owner.id })).toBe(CAP);
  });

  it.each(['', '  ', 'x'.repeat(201), '\u202e'])('is refused with the name %j', async (name) => {
    const { id } = await fixture.newUser();
    const make = get(WorkspacesService).createFor(id, { name }, systemActor('operator'));
    expect(await getErrorCode(make)).toBe('VALIDATION_ERROR');
    expect(await records.countDocuments({ ownerId: id })).toBe(0);
  });

  it('is refused to a workspace key', async () => {
    const principal: Principal = {
      keyId: 'k',
      kind: 'workspace',
      userId: null,
      operator: false,
      scopes: ['admin'],
      homeWorkspaceId: null,
      expiresAt: null,
      rateLimit: null,
    };
    expect(await getErrorCode(get(WorkspacesService).create(principal, { name: 'No' }))).toBe('FORBIDDEN');
  });

  it('is refused for a user who does not exist', async () => {
    expect(
      await getErrorCode(
        get(WorkspacesService).createFor(new Types.ObjectId().toHexString(), { name: 'No' }, systemActor('operator')),
      ),
    ).toBe('NOT_FOUND');
  });
});

describe('seats', () => {
  it('are counted with pending invitations: of two invitations for the last seat one is refused', async () => {
    const { scope } = await fixture.newWorkspace();
    await get(WorkspacesService).setLimits(scope, { maxMembers: 3 });
    const invite = (email: string) => get(InvitationsService).invite(scope, { email });
    await invite('first@example.com');
    const { won, refused } = await settleAll(
      invite('second@example.com'),
      invite('third@example.com'),
      invite('fourth@example.com'),
    );
    expect(won).toHaveLength(1);
    expect(refused).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']);
  });

  it('are free again when an invitation is revoked or expires', async () => {
    const { scope } = await fixture.newWorkspace();
    await get(WorkspacesService).setLimits(scope, { maxMembers: 2 });
    const first = await get(InvitationsService).invite(scope, { email: 'one@example.com' });
    expect(await getErrorCode(get(InvitationsService).invite(scope, { email: 'two@example.com' }))).toBe(
      'LIMIT_EXCEEDED',
    );
    await get(InvitationsService).revoke(scope, first._id);
    await get(InvitationsService).invite(scope, { email: 'two@example.com' });
    fixture.database.clock.advance(7 * DAY_MS);
    await expect(get(InvitationsService).invite(scope, { email: 'three@example.com' })).resolves.toMatchObject({
      status: 'pending',
    });
  });

  it('name the cap and its value when they are used up', async () => {
    const { scope } = await fixture.newWorkspace();
    await get(WorkspacesService).setLimits(scope, { maxMembers: 1 });
    await expect(get(InvitationsService).invite(scope, { email: 'x@example.com' })).rejects.toThrow(
      /\b1 members .*maxMembers/,
    );
  });
});

describe('an invitation', () => {
  it('is created once per address, even with two concurrent requests', async () => {
    const { scope } = await fixture.newWorkspace();
    const invite = () => get(InvitationsService).invite(scope, { email: 'same@example.com' });
    const { won, refused } = await settleAll(invite(), invite());
    expect(won).toHaveLength(1);
    expect(refused).toEqual(['CONFLICT']);
  });

  it('that expired is replaced by a new one, and is shown as expired until then', async () => {
    const { scope } = await fixture.newWorkspace();
    const old = await get(InvitationsService).invite(scope, { email: 'late@example.com' });
    fixture.database.clock.advance(7 * DAY_MS);
    const page = () => get(InvitationsService).list(scope, { limit: 25 });
    expect((await page()).items).toMatchObject([{ _id: old._id, status: 'expired' }]);
    const fresh = await get(InvitationsService).invite(scope, { email: 'late@example.com' });
    expect((await page()).items).toMatchObject([{ _id: fresh._id, status: 'pending' }]);
    expect(await getErrorCode(get(InvitationsService).accept(old.token, as(await fixture.newUser())))).toBe(
      'NOT_FOUND',
    );
  });

  it('is stored without its token', async () => {
    const { scope } = await fixture.newWorkspace();
    const { token } = await get(InvitationsService).invite(scope, { email: 'secret@example.com' });
    expect(token).toMatch(/^inv_[0-9a-f]{64}$/);
    const model = fixture.model<InvitationRecord>(InvitationRecord.name);
    const stored = await model.find({ workspaceId: scope.workspaceId }).lean();
    expect(JSON.stringify(stored)).not.toContain(token.slice(4));
  });

  it('admits one of two users who accept it concurrently', async () => {
    const { scope } = await fixture.newWorkspace();
    const { token, _id } = await get(InvitationsService).invite(scope, {
      email: 'once@example.com',
      role: 'admin',
    });
    const [one, other] = [await fixture.newUser(), await fixture.newUser()];
    const { won, refused } = await settleAll(
      get(InvitationsService).accept(token, as(one)),
      get(InvitationsService).accept(token, as(other)),
    );
    expect(won).toHaveLength(1);
    expect(refused).toEqual(['NOT_FOUND']);
    expect(await getErrorCode(get(InvitationsService).revoke(scope, _id))).toBe('NOT_FOUND');
    expect((await get(WorkspacesService).get(scope)).members).toMatchObject([{ role: 'owner' }, { role: 'admin' }]);
  });

  it('is either used or revoked when both happen concurrently', async () => {
    const { scope } = await fixture.newWorkspace();
    const { token, _id } = await get(InvitationsService).invite(scope, { email: 'either@example.com' });
    const user = await fixture.newUser();
    const { won, refused } = await settleAll<unknown>(
      get(InvitationsService).accept(token, as(user)),
      get(InvitationsService).revoke(scope, _id),
    );
    expect(won).toHaveLength(1);
    expect(refused).toEqual(['NOT_FOUND']);
  });

  it.each([
    ['revoked', (scope: WorkspaceScope, id: string) => get(InvitationsService).revoke(scope, id)],
    ['run out', () => fixture.database.clock.advance(7 * DAY_MS)],
    ['of a deleted workspace', (scope: WorkspaceScope) => get(WorkspaceDeletionService).delete(scope)],
  ])('that is %s grants no access', async (_title, spoil) => {
    const { scope } = await fixture.newWorkspace();
    const { token, _id } = await get(InvitationsService).invite(scope, { email: 'gone@example.com' });
    await spoil(scope, _id);
    expect(await getErrorCode(get(InvitationsService).accept(token, as(await fixture.newUser())))).toBe('NOT_FOUND');
  });

  it('does not change when the accepting user is refused', async () => {
    const { scope } = await fixture.newWorkspace();
    const { token } = await get(InvitationsService).invite(scope, { email: 'kept@example.com' });
    const accept = (who: () => Promise<Joiner>) => get(InvitationsService).accept(token, who);
    await expect(accept(() => Promise.reject(new Error('not you')))).rejects.toThrow('not you');
    await expect(accept(as(await fixture.newUser()))).resolves.toMatchObject({ role: 'member' });
  });

  it('admits no member twice, and no user above a lowered cap', async () => {
    const { owner, scope } = await fixture.newWorkspace();
    const { token } = await get(InvitationsService).invite(scope, { email: 'cap@example.com' });
    expect(await getErrorCode(get(InvitationsService).accept(token, as(owner)))).toBe('CONFLICT');
    await get(WorkspacesService).setLimits(scope, { maxMembers: 1 });
    expect(await getErrorCode(get(InvitationsService).accept(token, as(await fixture.newUser())))).toBe(
      'LIMIT_EXCEEDED',
    );
  });

  it('of another workspace cannot be revoked', async () => {
    const [{ scope }, other] = [await fixture.newWorkspace(), await fixture.newWorkspace()];
    const { _id } = await get(InvitationsService).invite(scope, { email: 'foreign@example.com' });
    expect(await getErrorCode(get(InvitationsService).revoke(other.scope, _id))).toBe('NOT_FOUND');
  });
});

describe('members', () => {
  it('transfer the ownership once, although the owner promotes two members concurrently', async () => {
    const { owner, scope } = await fixture.newWorkspace();
    const [one, other] = [await fixture.newUser(), await fixture.newUser()];
    await fixture.join(scope, one);
    await fixture.join(scope, other);
    const { won, refused } = await settleAll(
      ...[one, other].map(({ id }) => get(WorkspaceMembersService).changeRole(scope, id, 'owner')),
    );
    expect(won).toHaveLength(1);
    expect(refused).toEqual(['FORBIDDEN']);
    const { members, ownerId } = await get(WorkspacesService).get(scope);
    expect(ownerId).toBe(won[0]?.userId);
    expect(members.filter(({ role }) => role === 'owner').map(({ userId }) => userId)).toEqual([ownerId]);
    expect(members.find(({ userId }) => userId === owner.id)?.role).toBe('admin');
  });

  it('cannot exceed the cap of workspaces per owner by a transfer of ownership', async () => {
    const heir = await fixture.newUser();
    for (let owned = 0; owned < CAP - 1; owned += 1) await fixture.newWorkspace(heir);
    const scopes = [(await fixture.newWorkspace()).scope, (await fixture.newWorkspace()).scope];
    for (const scope of scopes) await fixture.join(scope, heir);
    const transfer = (scope: WorkspaceScope) => get(WorkspaceMembersService).changeRole(scope, heir.id, 'owner');
    const { won, refused } = await settleAll(...scopes.map(transfer));
    expect(won).toHaveLength(1);
    expect(refused).toEqual(['LIMIT_EXCEEDED']);
    expect(await records.countDocuments({ ownerId: heir.id })).toBe(CAP);
  });

  it('who were removed have no access', async () => {
    const { scope } = await fixture.newWorkspace();
    const admin = await fixture.newUser();
    await fixture.join(scope, admin, 'admin');
    const stale = getScope(scope.workspaceId, admin.id, 'admin');
    await get(WorkspaceMembersService).remove(scope, admin.id);
    expect(await getErrorCode(get(InvitationsService).invite(stale, { email: 'x@example.com' }))).toBe('FORBIDDEN');
    expect(await getErrorCode(get(WorkspaceMembersService).remove(stale, scope.actor.userId ?? ''))).toBe('FORBIDDEN');
    expect(await getErrorCode(get(WorkspaceDeletionService).delete({ ...stale, role: 'owner' }))).toBe('FORBIDDEN');
  });

  it('who leave their default workspace get the one that they joined first', async () => {
    const first = await fixture.newWorkspace();
    const user = await fixture.newUser();
    await fixture.join(first.scope, user);
    const second = await fixture.newWorkspace();
    await fixture.join(second.scope, user);
    expect((await get(UsersService).byId(user.id))?.defaultWorkspaceId).toBe(first.scope.workspaceId);
    await get(WorkspaceMembersService).remove(getScope(first.scope.workspaceId, user.id, 'member'), user.id);
    expect((await get(UsersService).byId(user.id))?.defaultWorkspaceId).toBe(second.scope.workspaceId);
    await get(WorkspaceMembersService).remove(second.scope, user.id);
    expect((await get(UsersService).byId(user.id))?.defaultWorkspaceId).toBeNull();
    expect(await get(WorkspaceRepository).membership(second.scope.workspaceId, user.id)).toEqual({
      workspaceId: second.scope.workspaceId,
      role: null,
    });
  });
});

describe('caps of other domains', () => {
  it('admit records up to the cap, and name the cap in the refusal of others', async () => {
    const { scope } = await fixture.newWorkspace();
    await get(WorkspacesService).setLimits(scope, { maxCampaigns: 3 });
    await expect(get(WorkspaceLimitsService).ensureRoom(scope, 'maxCampaigns', 2)).resolves.toBeUndefined();
    await expect(get(WorkspaceLimitsService).ensureRoom(scope, 'maxCampaigns', 2, 2)).rejects.toThrow(
      /\b3 campaigns \(maxCampaigns\); it has 2/,
    );
  });

  it.each([{ maxMembers: 0 }, { maxLeads: -1 }, { maxMailboxes: 1.5 }, { maxCampaigns: Number.NaN }])(
    'cannot be set to %j',
    async (limits) => {
      const { scope } = await fixture.newWorkspace();
      expect(await getErrorCode(get(WorkspacesService).setLimits(scope, limits))).toBe('VALIDATION_ERROR');
    },
  );
});

async function ledger({ workspaceId }: WorkspaceScope): Promise<number[]> {
  const entries = fixture.model<{ workspaceId: string; amount: number }>('CreditEntryRecord');
  return (await entries.find({ workspaceId }).lean()).map(({ amount }) => amount);
}
