import { expectFormA, expectFormB, type Person, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { auditedActions, dataOf, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from './people';

describe('PATCH /v1/workspaces/:workspaceId/members/:userId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let admin: Person;
  let member: Person;

  beforeAll(async () => {
    platform = await startPlatform({ env: { MAX_WORKSPACES_PER_USER: '2' } });
    await newWorkspace();
  });
  afterAll(() => platform.close());

  async function newWorkspace(): Promise<void> {
    workspace = await platform.seed.workspace();
    admin = await newMember(platform, workspace, 'admin');
    member = await newMember(platform, workspace);
  }

  const change = (userId: string, body: object, key = workspace.owner.key) =>
    platform.api.as(key).patch(`/v1/workspaces/${workspace.workspaceId}/members/${userId}`).send(body);
  const roles = async () => {
    const found = dataOf<{ members: { userId: string; role: string }[]; ownerId: string }>(
      await platform.api.as(workspace.key).get(`/v1/workspaces/${workspace.workspaceId}`),
    );
    return { ownerId: found.ownerId, ...Object.fromEntries(found.members.map(({ userId, role }) => [userId, role])) };
  };

  it('answers the member with the new role, which applies at once', async () => {
    const response = await change(member.userId, { role: 'admin' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: { userId: member.userId, name: member.name, email: member.email, role: 'admin', joinedAt: ISO },
      },
    });
    await platform.api.as(member.key).get(`/v1/workspaces/${workspace.workspaceId}/invitations`).expect(200);
    await change(member.userId, { role: 'member' }).expect(200);
    expectFormA(await platform.api.as(member.key).get(`/v1/workspaces/${workspace.workspaceId}/invitations`), 403);
    expect((await auditedActions(platform, workspace)).slice(0, 2)).toEqual([
      'member.role_changed',
      'member.role_changed',
    ]);
  });

  it('lets only the owner transfer the ownership', async () => {
    const before = await roles();
    for (const key of [admin.key, workspace.key]) {
      for (const userId of [member.userId, admin.userId, workspace.owner.userId]) {
        expectFormA(await change(userId, { role: 'owner' }, key), 403, /owner/);
      }
    }
    expect(await roles()).toEqual(before);
  });

  it('answers CONFLICT to any other change of the owner’s role', async () => {
    for (const key of [workspace.owner.key, admin.key, workspace.key]) {
      for (const role of ['admin', 'member']) {
        const response = await change(workspace.owner.userId, { role }, key);
        expectFormB(response, 409, 'CONFLICT');
        expect(response.text).toContain('transfer the ownership first');
      }
    }
  });

  it('changes nothing and writes no audit entry when the role is the same', async () => {
    const before = await auditedActions(platform, workspace);
    await change(member.userId, { role: 'member' }).expect(200);
    await change(workspace.owner.userId, { role: 'owner' }).expect(200);
    expect(await auditedActions(platform, workspace)).toEqual(before);
  });

  it('answers 404 Form A for a user who is not a member, and for unknown and malformed ids', async () => {
    const stranger = await platform.seed.person();
    for (const id of [stranger.userId, UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await change(id, { role: 'admin' }), 404, 'Member not found');
    }
  });

  it('refuses invalid input with VALIDATION_ERROR and names the field', async () => {
    const cases: [object, string][] = [
      [{}, 'role'],
      [{ role: 'boss' }, 'role'],
      [{ role: null }, 'role'],
      [{ role: ['admin'] }, 'role'],
      [{ role: { $ne: 'x' } }, 'role'],
      [{ role: 'admin', userId: 'x' }, 'userId'],
    ];
    for (const [body, field] of cases) {
      const response = await change(member.userId, body);
      expect({ body, status: response.status }).toEqual({ body, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
  });

  it('refuses to transfer the ownership to a user who has reached the workspace limit', async () => {
    for (let owned = 0; owned < platform.config.maxWorkspacesPerUser; owned += 1)
      await platform.seed.workspace({ owner: admin });
    const before = await roles();
    expectFormB(await change(admin.userId, { role: 'owner' }), 409, 'LIMIT_EXCEEDED');
    expect(await roles()).toEqual(before);
  });

  it('accepts admins and a workspace key, for members and for other admins', async () => {
    await change(member.userId, { role: 'admin' }, admin.key).expect(200);
    await change(admin.userId, { role: 'member' }, workspace.key).expect(200);
  });

  it('transfers the ownership when the owner makes another member owner, and makes the former owner an admin', async () => {
    await newWorkspace();
    await change(admin.userId, { role: 'owner' }).expect(200);
    expect(await roles()).toEqual({
      ownerId: admin.userId,
      [workspace.owner.userId]: 'admin',
      [admin.userId]: 'owner',
      [member.userId]: 'member',
    });
    expectFormA(await platform.api.as(workspace.owner.key).delete(`/v1/workspaces/${workspace.workspaceId}`), 403);
    await platform.api.as(admin.key).delete(`/v1/workspaces/${workspace.workspaceId}`).expect(200);
  });
});
