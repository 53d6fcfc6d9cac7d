import { type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ISO, newMember } from './people';

describe('GET /v1/workspaces/:workspaceId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace({ name: 'Acme' });
  });
  afterAll(() => platform.close());

  const get = (key: string, id = workspace.workspaceId) => platform.api.as(key).get(`/v1/workspaces/${id}`);

  it('answers exactly the fields of the contract', async () => {
    const { owner, workspaceId } = workspace;
    const member = await newMember(platform, workspace, 'admin');
    const response = await get(workspace.key);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          id: workspaceId,
          name: 'Acme',
          ownerId: owner.userId,
          members: [
            { userId: owner.userId, role: 'owner', joinedAt: ISO },
            { userId: member.userId, role: 'admin', joinedAt: ISO },
          ],
          settings: { allowMemberInvites: false, defaultRole: 'member' },
          limits: { maxMembers: 25, maxCampaigns: 1000, maxLeads: 1_000_000, maxMailboxes: 1000 },
          createdAt: ISO,
        },
      },
    });
  });

  it('answers the same to the workspace key and to a member’s platform key', async () => {
    const member = await newMember(platform, workspace);
    expect(dataOf(await get(member.key))).toEqual(dataOf(await get(workspace.key)));
  });

  it('accepts the id in upper case', async () => {
    for (const key of [workspace.key, workspace.owner.key]) {
      expect(dataOf<{ id: string }>(await get(key, workspace.workspaceId.toUpperCase())).id).toBe(
        workspace.workspaceId,
      );
    }
  });
});
