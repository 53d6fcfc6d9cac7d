import { expectFormA, expectFormB, type Person, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, newMember, UNKNOWN_ID } from './people';

describe('DELETE /v1/workspaces/:workspaceId/members/:userId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let admin: Person;
  let member: Person;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    admin = await newMember(platform, workspace, 'admin');
    member = await newMember(platform, workspace);
  });
  afterAll(() => platform.close());

  const path = () => `/v1/workspaces/${workspace.workspaceId}`;
  const remove = (userId: string, key: string) => platform.api.as(key).delete(`${path()}/members/${userId}`);

  it('lets a member remove only themselves', async () => {
    const other = await newMember(platform, workspace);
    for (const userId of [other.userId, admin.userId, workspace.owner.userId]) {
      expectFormA(await remove(userId, member.key), 403);
    }
  });

  it('answers CONFLICT for the owner, who must transfer the ownership first', async () => {
    for (const key of [workspace.owner.key, admin.key, workspace.key]) {
      const response = await remove(workspace.owner.userId, key);
      expectFormB(response, 409, 'CONFLICT');
      expect(response.text).toContain('ownership');
    }
  });

  it('does not treat a workspace key as the person who created it', async () => {
    const made = await platform.api
      .as(admin.key)
      .post('/v1/api-keys')
      .send({ name: 'k', scopes: ['read', 'write'] })
      .expect(201);
    const { key } = dataOf<{ key: string }>(made);
    expectFormA(await remove(admin.userId, key), 403);
  });

  it('answers 404 Form A for a member of another workspace and for an unknown id', async () => {
    const other = await platform.seed.workspace();
    for (const id of [other.owner.userId, UNKNOWN_ID, 'x'])
      expectFormA(await remove(id, workspace.key), 404, 'Member not found');
  });

  it('answers a message, and the member’s keys lose access from then on', async () => {
    const response = await remove(member.userId, admin.key);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { success: true, data: { message: 'Member removed' } },
    });
    expectFormA(await platform.api.as(member.key).get(path()), 403);
    expectFormA(await platform.api.as(member.key).in(workspace.workspaceId).get('/v1/credits/balance'), 403);
    expect((await auditedActions(platform, workspace))[0]).toBe('member.removed');
    expectFormA(await remove(member.userId, admin.key), 404, 'Member not found');
  });

  it('frees a place: the person can be invited again', async () => {
    member = await newMember(platform, workspace);
    await remove(member.userId, workspace.key).expect(200);
    await platform.api.as(workspace.key).post(`${path()}/members`).send({ email: member.email }).expect(201);
  });

  it('lets members and admins leave', async () => {
    member = await newMember(platform, workspace);
    expect(dataOf(await remove(member.userId, member.key))).toEqual({ message: 'You left the workspace' });
    expect(dataOf(await remove(admin.userId, admin.key))).toEqual({ message: 'You left the workspace' });
  });
});
