import { expectFormA, expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, newMember } from './people';

interface Invited {
  _id: string;
  role: string;
  token: string;
  expiresAt: string;
  createdAt: string;
}

describe('POST /v1/workspaces/:workspaceId/members', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ env: { DEFAULT_MAX_MEMBERS: '4', INVITATION_DAYS: '3' } });
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const invite = (body: object, key = workspace.key) =>
    platform.api.as(key).post(`/v1/workspaces/${workspace.workspaceId}/members`).send(body);
  const settings = (value: object) =>
    platform.api
      .as(workspace.key)
      .patch(`/v1/workspaces/${workspace.workspaceId}`)
      .send({ settings: value })
      .expect(200);

  it('answers 201 with the invitation and, this once, its token', async () => {
    const response = await invite({ email: '  New.Person@Example.COM ', role: 'admin' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          _id: ID,
          email: 'new.person@example.com',
          role: 'admin',
          status: 'pending',
          expiresAt: ISO,
          createdAt: ISO,
          token: expect.stringMatching(/^inv_[0-9a-f]{64}$/) as unknown,
        },
      },
    });
    const { token, expiresAt, createdAt } = dataOf<Invited>(response);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeGreaterThan(3 * 86_400_000 - 5_000);
    expect(platform.logged()).not.toContain(token);
    const list = await platform.api.as(workspace.key).get(`/v1/workspaces/${workspace.workspaceId}/invitations`);
    expect(list.text).not.toContain(token);
    expect(await auditedActions(platform, workspace)).toContain('member.invited');
  });

  it('assigns the default role of the workspace if none is given', async () => {
    expect(dataOf<Invited>(await invite({ email: 'a@example.com' })).role).toBe('member');
    await settings({ defaultRole: 'admin' });
    expect(dataOf<Invited>(await invite({ email: 'b@example.com' })).role).toBe('admin');
  });

  it('lets a plain member invite members, if the settings allow it', async () => {
    const member = await newMember(platform, workspace);
    expectFormA(await invite({ email: 'c@example.com' }, member.key), 403);
    await settings({ allowMemberInvites: true, defaultRole: 'admin' });
    expectFormA(await invite({ email: 'c@example.com', role: 'admin' }, member.key), 403, /higher than their own/);
    expect(dataOf<Invited>(await invite({ email: 'c@example.com' }, member.key)).role).toBe('member');
  });

  it('answers CONFLICT for a member and for an invited address, in any case', async () => {
    expectFormB(await invite({ email: workspace.owner.email.toUpperCase() }), 409, 'CONFLICT');
    await invite({ email: 'twice@example.com' }).expect(201);
    expectFormB(await invite({ email: 'Twice@example.com' }), 409, 'CONFLICT');
  });

  it('answers LIMIT_EXCEEDED when members and pending invitations reach the limit, also to parallel requests', async () => {
    await newMember(platform, workspace);
    const emails = ['1@example.com', '2@example.com', '3@example.com', '4@example.com'];
    const responses = await Promise.all(emails.map((email) => invite({ email })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const response of responses.filter(({ status }) => status !== 201))
      expectFormB(response, 409, 'LIMIT_EXCEEDED');
  });

  it('accepts another invitation after one has expired', async () => {
    for (const email of ['1@example.com', '2@example.com', '3@example.com']) await invite({ email }).expect(201);
    expectFormB(await invite({ email: '4@example.com' }), 409, 'LIMIT_EXCEEDED');
    platform.clock.advance(3 * 86_400_000);
    await invite({ email: '4@example.com' }).expect(201);
    await invite({ email: '1@example.com' }).expect(201);
  });

  it('refuses invalid input with VALIDATION_ERROR and names the field', async () => {
    const cases: [object, string][] = [
      [{}, 'email'],
      [{ email: '' }, 'email'],
      [{ email: 'nobody' }, 'email'],
      [{ email: 'a@b@c.example' }, 'email'],
      [{ email: null }, 'email'],
      [{ email: { $gt: '' } }, 'email'],
      [{ email: ['a@example.com'] }, 'email'],
      [{ email: 'a@example.com', role: 'owner' }, 'role'],
      [{ email: 'a@example.com', role: 'boss' }, 'role'],
      [{ email: 'a@example.com', role: null }, 'role'],
      [{ email: 'a@example.com', role: ['admin'] }, 'role'],
      [{ email: 'a@example.com', status: 'accepted' }, 'status'],
      [{ email: 'a@example.com', workspaceId: 'x' }, 'workspaceId'],
    ];
    for (const [body, field] of cases) {
      const response = await invite(body);
      expect({ body, status: response.status }).toEqual({ body, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
  });
});
