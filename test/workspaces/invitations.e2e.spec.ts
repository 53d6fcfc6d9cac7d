import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from './people';

describe('the open invitations of a workspace', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const path = () => `/v1/workspaces/${workspace.workspaceId}/invitations`;
  const invite = async (email: string) =>
    dataOf<{ _id: string; token: string }>(
      await platform.api.as(workspace.key).post(`/v1/workspaces/${workspace.workspaceId}/members`).send({ email }),
    );
  const list = (query = '', key = workspace.key) => platform.api.as(key).get(path() + query);
  const revoke = (id: string, key = workspace.key) => platform.api.as(key).delete(`${path()}/${id}`);

  describe('GET /v1/workspaces/:workspaceId/invitations', () => {
    it('lists those that were neither accepted nor revoked, newest first, without their tokens', async () => {
      await newMember(platform, workspace);
      const { _id } = await invite('revoked@example.com');
      await revoke(_id).expect(200);
      await invite('first@example.com');
      platform.clock.advance(1000);
      await invite('second@example.com');
      const item = (email: string) => ({
        _id: ID,
        email,
        role: 'member',
        status: 'pending',
        expiresAt: ISO,
        createdAt: ISO,
      });
      const response = await list();
      expect(response.body as unknown).toEqual({
        success: true,
        data: [item('second@example.com'), item('first@example.com')],
        pagination: { limit: 25, total: 2, hasMore: false, nextCursor: null },
      });
    });

    it('shows an expired one as such', async () => {
      await invite('late@example.com');
      platform.clock.advance(7 * 86_400_000);
      expect(dataOf(await list())).toMatchObject([{ email: 'late@example.com', status: 'expired' }]);
    });

    it('pages by cursor', async () => {
      for (const name of ['a', 'b', 'c']) await invite(`${name}@example.com`);
      const first = (await list('?limit=2')).body as { pagination: { nextCursor: string; hasMore: boolean } };
      expect(first.pagination).toMatchObject({ total: 3, hasMore: true });
      const second = await list(`?limit=2&cursor=${encodeURIComponent(first.pagination.nextCursor)}`);
      expect(dataOf(second)).toMatchObject([{ email: 'a@example.com' }]);
    });

    it.each(['limit=0', 'limit=101', 'limit=1e2', 'cursor=tampered'])('refuses %s', async (query) => {
      expectFormB(await list(`?${query}`), 400, 'VALIDATION_ERROR', query.split('=')[0] ?? '');
    });
  });

  describe('DELETE /v1/workspaces/:workspaceId/invitations/:invitationId', () => {
    it('invalidates the token and answers a message', async () => {
      const { _id, token } = await invite('gone@example.com');
      const response = await revoke(_id);
      expect(response.body as unknown).toEqual({ success: true, data: { message: 'Invitation revoked' } });
      expect(dataOf(await list())).toEqual([]);
      expectFormB(await platform.api.post('/v1/invitations/accept').send({ token, name: 'X' }), 404, 'NOT_FOUND');
      expect((await auditedActions(platform, workspace))[0]).toBe('invitation.revoked');
    });

    it('answers 404 Form A for a revoked, accepted, foreign, unknown or malformed one', async () => {
      const { _id } = await invite('once@example.com');
      await revoke(_id).expect(200);
      const other = await platform.seed.workspace();
      const foreign = dataOf<{ _id: string }>(
        await platform.api
          .as(other.key)
          .post(`/v1/workspaces/${other.workspaceId}/members`)
          .send({ email: 'f@example.com' }),
      );
      for (const id of [_id, foreign._id, UNKNOWN_ID, ...MALFORMED_IDS]) {
        expectFormA(await revoke(id), 404, 'Invitation not found');
      }
      expect(
        dataOf(await platform.api.as(other.key).get(`/v1/workspaces/${other.workspaceId}/invitations`)),
      ).toHaveLength(1);
    });
  });
});
