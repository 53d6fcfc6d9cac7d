import { type Platform, sharedPlatform } from '../harness';
import { ISO, newMember } from './people';

describe('GET /v1/workspaces/:workspaceId/members', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  afterAll(() => platform.close());

  it('answers all members with exactly the fields of the contract, in the order of their joining, without pages', async () => {
    const workspace = await platform.seed.workspace();
    const { owner } = workspace;
    const admin = await newMember(platform, workspace, 'admin');
    const member = await newMember(platform, workspace);
    const expected = [
      { userId: owner.userId, name: owner.name, email: owner.email, role: 'owner', joinedAt: ISO },
      { userId: admin.userId, name: admin.name, email: admin.email, role: 'admin', joinedAt: ISO },
      { userId: member.userId, name: member.name, email: member.email, role: 'member', joinedAt: ISO },
    ];
    for (const key of [workspace.key, owner.key, member.key]) {
      const response = await platform.api.as(key).get(`/v1/workspaces/${workspace.workspaceId}/members`);
      expect({ status: response.status, body: response.body as unknown }).toEqual({
        status: 200,
        body: { success: true, data: expected },
      });
    }
  });
});
