import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO } from './people';

interface Accepted {
  workspaceId: string;
  userId: string;
  role: string;
  key: string | null;
}

describe('POST /v1/invitations/accept', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  let serial = 0;
  const newAddress = () => `invited-${(serial += 1)}@example.com`;
  const invite = async (email: string, role = 'member') =>
    dataOf<{ token: string }>(
      await platform.api
        .as(workspace.key)
        .post(`/v1/workspaces/${workspace.workspaceId}/members`)
        .send({ email, role }),
    ).token;
  const accept = (body: object, key?: string) =>
    (key === undefined ? platform.api : platform.api.as(key)).post('/v1/invitations/accept').send(body);

  it('creates a user for a person without a key, and returns their platform key once', async () => {
    const email = newAddress();
    const response = await accept({ token: await invite(email, 'admin'), name: ' New Person ' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          workspaceId: workspace.workspaceId,
          userId: ID,
          role: 'admin',
          joinedAt: ISO,
          key: expect.stringMatching(/^sk_user_[0-9a-f]{64}$/) as unknown,
        },
      },
    });
    const { userId, key } = dataOf<Accepted>(response);
    const members = dataOf<object[]>(
      await platform.api.as(key ?? '').get(`/v1/workspaces/${workspace.workspaceId}/members`),
    );
    expect(members).toContainEqual({ userId, name: 'New Person', email, role: 'admin', joinedAt: ISO });
    await platform.api
      .as(key ?? '')
      .get('/v1/api-keys')
      .expect(200);
    expect(platform.logged()).not.toContain(key);
    expect((await auditedActions(platform, workspace)).slice(0, 2)).toEqual(['api_key.created', 'invitation.accepted']);
  });

  it('lets a user join with their own platform key, without a new one', async () => {
    const person = await platform.seed.person();
    const response = await accept({ token: await invite(person.email) }, person.key);
    expect(dataOf(response)).toEqual({
      workspaceId: workspace.workspaceId,
      userId: person.userId,
      role: 'member',
      joinedAt: ISO,
      key: null,
    });
    await platform.api.as(person.key).get('/v1/credits/balance').expect(200);
  });

  it('keeps the existing name and default workspace of a user', async () => {
    const { owner, workspaceId } = await platform.seed.workspace();
    await accept({ token: await invite(owner.email), name: 'Another Name' }, owner.key).expect(200);
    const members = dataOf<object[]>(
      await platform.api.as(owner.key).get(`/v1/workspaces/${workspace.workspaceId}/members`),
    );
    expect(members).toContainEqual(expect.objectContaining({ userId: owner.userId, name: owner.name }));
    const made = dataOf<{ workspaceId: string }>(
      await platform.api.as(owner.key).post('/v1/api-keys').send({ name: 'where' }),
    );
    expect(made.workspaceId).toBe(workspaceId);
  });

  it('refuses another user’s key and a workspace key, and keeps the token valid', async () => {
    const [person, stranger] = [await platform.seed.person(), await platform.seed.person()];
    const token = await invite(person.email);
    expectFormA(await accept({ token }, stranger.key), 403);
    expectFormA(await accept({ token }, workspace.key), 403);
    await accept({ token }, person.key).expect(200);
  });

  it('refuses a key without the write scope', async () => {
    const person = await platform.seed.person();
    const readOnly = await platform.seed.userKey(person.userId, { scopes: ['read'] });
    expectFormA(await accept({ token: await invite(person.email) }, readOnly), 403, /permission/);
  });

  it('only claims an address without a key, and takes it from no user', async () => {
    const person = await platform.seed.person();
    const impostor = await accept({ token: await invite(person.email), name: 'Impostor' }).expect(200);
    expect(dataOf<{ userId: string }>(impostor).userId).not.toBe(person.userId);
    const { key } = dataOf<{ key: string }>(impostor);

    // The real owner of the address joins another workspace with their own key; the impostor’s key has no access
    // there.
    const other = await platform.seed.workspace();
    const invited = await platform.api
      .as(other.key)
      .post(`/v1/workspaces/${other.workspaceId}/members`)
      .send({ email: person.email });
    const { token } = dataOf<{ token: string }>(invited);
    await accept({ token }, person.key).expect(200);
    expectFormA(await platform.api.as(key).get(`/v1/workspaces/${other.workspaceId}/members`), 403);
  });

  it('blocks no user whose address is claimed by another, and discloses no claim', async () => {
    const address = newAddress();
    const squatted = await accept({ token: await invite(address), name: 'Squatter' }).expect(200);
    const other = await platform.seed.workspace();
    const invited = await platform.api
      .as(other.key)
      .post(`/v1/workspaces/${other.workspaceId}/members`)
      .send({ email: address });
    const real = await accept({ token: dataOf<{ token: string }>(invited).token, name: 'Real' }).expect(200);
    expect(dataOf<{ userId: string }>(real).userId).not.toBe(dataOf<{ userId: string }>(squatted).userId);
    expectFormA(
      await platform.api.as(dataOf<{ key: string }>(squatted).key).get(`/v1/workspaces/${other.workspaceId}`),
      403,
    );
  });

  it('refuses an unknown key instead of ignoring it', async () => {
    const token = await invite(newAddress());
    expectFormA(await accept({ token, name: 'X' }, `sk_user_${'0'.repeat(64)}`), 401);
    await accept({ token, name: 'X' }).expect(200);
  });

  it('accepts one of several requests with the same token', async () => {
    const members = async () =>
      dataOf<object[]>(await platform.api.as(workspace.key).get(`/v1/workspaces/${workspace.workspaceId}/members`));
    const before = await members();
    const token = await invite(newAddress());
    const responses = await Promise.all([1, 2, 3].map((one) => accept({ token, name: `Person ${one}` })));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(await members()).toHaveLength(before.length + 1);
  });

  it('answers NOT_FOUND for an unknown, used, revoked or expired token', async () => {
    const used = await invite(newAddress());
    await accept({ token: used, name: 'X' }).expect(200);
    const expired = await invite(newAddress());
    platform.clock.advance(7 * 86_400_000);
    for (const token of [used, expired, 'inv_x', `inv_${'0'.repeat(64)}`, 'x'.repeat(200)]) {
      const response = await accept({ token, name: 'X' });
      expectFormB(response, 404, 'NOT_FOUND');
      expect(response.text).toContain('Invitation not found');
    }
  });

  it('requires a name for a new user, and keeps the token valid', async () => {
    const token = await invite(newAddress());
    expectFormB(await accept({ token }), 400, 'VALIDATION_ERROR', 'name');
    expectFormB(await accept({ token, name: '  ' }), 400, 'VALIDATION_ERROR', 'name');
    await accept({ token, name: 'Named' }).expect(200);
  });

  it('refuses invalid input with VALIDATION_ERROR and names the field', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'token'],
      [{ token: '' }, 'token'],
      [{ token: null }, 'token'],
      [{ token: { $ne: null } }, 'token'],
      [{ token: 'x'.repeat(201) }, 'token'],
      [{ token: 'x', name: 5 }, 'name'],
      [{ token: 'x', name: 'x'.repeat(201) }, 'name'],
      [{ token: 'x', role: 'owner' }, 'role'],
      [{ token: 'x', email: 'other@example.com' }, 'email'],
      [{ token: 'x', userId: 'x' }, 'userId'],
    ];
    for (const [body, field] of cases) {
      expectFormB(await accept(body), 400, 'VALIDATION_ERROR', field);
    }
  });
});
