import { OperatorKeysService } from '@domain/identity';
import { Types } from 'mongoose';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { getDatabase } from '../harness/sending';
import { auditedActions, dataOf, ID, ISO, newMember } from '../workspaces/people';
import { type ApiKey, newKey, statusOf } from './keys';

describe('POST /v1/api-keys', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const create = (body: object, key = workspace.owner.key) => platform.api.as(key).post('/v1/api-keys').send(body);

  it('answers 201 with a workspace key and, this once, its secret', async () => {
    const response = await create({ name: ' CI ' });
    const { key } = dataOf<ApiKey>(response);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          _id: ID,
          kind: 'workspace',
          workspaceId: workspace.workspaceId,
          name: 'CI',
          scopes: ['read', 'write', 'admin'],
          last4: key.slice(-4),
          rateLimit: null,
          createdBy: { kind: 'user', userId: workspace.owner.userId, keyId: ID },
          lastUsedAt: null,
          expiresAt: null,
          revokedAt: null,
          createdAt: ISO,
          key: expect.stringMatching(/^sk_[0-9a-f]{64}$/) as unknown,
        },
      },
    });
    expect(await statusOf(platform, key)).toBe(200);
    expect(platform.logged()).not.toContain(key);
    const list = await platform.api.as(workspace.owner.key).get('/v1/api-keys');
    expect(list.text).not.toContain(key);
    expect((await auditedActions(platform, workspace))[0]).toBe('api_key.created');
  });

  it('creates a platform key for the caller’s own user', async () => {
    const made = dataOf<ApiKey>(await create({ name: 'Laptop', kind: 'user', scopes: ['read'] }));
    expect(made).toMatchObject({
      kind: 'user',
      workspaceId: null,
      scopes: ['read'],
      createdBy: { userId: workspace.owner.userId },
    });
    expect(made.key).toMatch(/^sk_user_[0-9a-f]{64}$/);
    await platform.api.as(made.key).get(`/v1/workspaces/${workspace.workspaceId}`).expect(200);
    expectFormA(await create({ name: 'x' }, made.key), 403, /permission/);
  });

  it('creates a key that works until it expires', async () => {
    const expiresAt = new Date(platform.clock.now().getTime() + 3_600_000).toISOString();
    const made = dataOf<ApiKey>(await create({ name: 'Short', expiresAt }));
    expect(made.expiresAt).toBe(expiresAt);
    expect(await statusOf(platform, made.key)).toBe(200);
    platform.clock.advance(3_600_000);
    expectFormA(await platform.api.as(made.key).get('/v1/workspaces'), 401);
  });

  it('gives the new key no scope that the requesting key lacks', async () => {
    const strong = await newKey(platform, workspace.owner.key, { scopes: ['write', 'admin'] });
    expectFormA(await create({ name: 'x', scopes: ['read', 'admin'] }, strong.key), 403);
    expect(dataOf<ApiKey>(await create({ name: 'x' }, strong.key)).scopes).toEqual(['write', 'admin']);
  });

  it('limits the expiry to that of the requesting key, which is also the default', async () => {
    const inHours = (hours: number) => new Date(platform.clock.now().getTime() + hours * 3_600_000).toISOString();
    const end = inHours(2);
    for (const kind of ['workspace', 'user']) {
      const ending = await newKey(platform, workspace.owner.key, { kind: 'user', expiresAt: end });
      expect(dataOf<ApiKey>(await create({ name: 'x', kind }, ending.key)).expiresAt).toBe(end);
      const sooner = inHours(1);
      expect(dataOf<ApiKey>(await create({ name: 'x', kind, expiresAt: sooner }, ending.key)).expiresAt).toBe(sooner);
      const later = await create({ name: 'x', kind, expiresAt: inHours(3) }, ending.key);
      expectFormB(later, 400, 'VALIDATION_ERROR', 'expiresAt');
      expect(later.text).toContain(end);
    }
  });

  it('copies the rate limit that the operator set for the requesting key', async () => {
    const limited = await newKey(platform, workspace.owner.key, { kind: 'user' });
    await platform.app.get(OperatorKeysService, { strict: false }).setRateLimit(limited._id, 50);
    for (const kind of ['workspace', 'user']) {
      const response = await create({ name: 'x', kind }, limited.key);
      expect(dataOf<{ rateLimit: number }>(response).rateLimit).toBe(50);
      const made = await platform.api.as(dataOf<ApiKey>(response).key).get('/v1/workspaces');
      expect(made.headers['ratelimit-limit']).toBe('50');
    }
  });

  it('answers LIMIT_EXCEEDED beyond a hundred live keys, until one is revoked', async () => {
    const { owner, workspaceId } = await platform.seed.workspace();
    const { _id } = await newKey(platform, owner.key);
    const keys = getDatabase(platform).collection('workspace_keys');
    const made = await keys.findOne({ _id: new Types.ObjectId(_id) });
    const copy = (_: unknown, at: number) => ({
      ...made,
      _id: new Types.ObjectId(),
      secrets: [{ hash: `${at}`, last4: '' }],
    });
    await keys.insertMany(Array.from({ length: 98 }, copy));
    expect(await keys.countDocuments({ workspaceId: new Types.ObjectId(workspaceId) })).toBe(100);
    expectFormB(await create({ name: 'x' }, owner.key), 409, 'LIMIT_EXCEEDED');
    expect(dataOf<ApiKey>(await create({ name: 'x', kind: 'user' }, owner.key)).kind).toBe('user');
    await platform.api.as(owner.key).delete(`/v1/api-keys/${_id}`).expect(200);
    expect((await create({ name: 'x' }, owner.key)).status).toBe(201);
  });

  it('answers 403 Form A to a key without the write scope and to one without the admin scope', async () => {
    const reader = await newKey(platform, workspace.owner.key, { scopes: ['read'] });
    expectFormA(await create({ name: 'x' }, reader.key), 403, /permission/);
    const writer = await newKey(platform, workspace.owner.key, { scopes: ['read', 'write'] });
    expect((await create({ name: 'x' }, writer.key)).status).toBe(403);
  });

  it('lets a plain member create only platform keys of their own', async () => {
    const member = await newMember(platform, workspace);
    expect((await create({ name: 'x' }, member.key)).status).toBe(403);
    expect(dataOf<ApiKey>(await create({ name: 'x', kind: 'user' }, member.key)).kind).toBe('user');
  });

  it('lets a workspace key create workspace keys and no platform keys', async () => {
    expect(dataOf<ApiKey>(await create({ name: 'x' }, workspace.key)).kind).toBe('workspace');
    expect((await create({ name: 'x', kind: 'user' }, workspace.key)).status).toBe(403);
  });

  it('applies to the workspace of the header, if the user is a member there', async () => {
    const second = await platform.seed.workspace({ owner: workspace.owner });
    const foreign = await platform.seed.workspace();
    const into = (workspaceId: string, key = workspace.owner.key) =>
      platform.api.as(key).in(workspaceId).post('/v1/api-keys').send({ name: 'x' });
    expect(dataOf<ApiKey>(await into(second.workspaceId)).workspaceId).toBe(second.workspaceId);
    expect(dataOf<ApiKey>(await into(workspace.workspaceId, workspace.key)).workspaceId).toBe(workspace.workspaceId);
    for (const id of [foreign.workspaceId, '0123456789abcdef01234567', 'x']) {
      expectFormA(await into(id), 403, /permission/);
      expectFormA(await into(id, workspace.key), 403, /permission/);
    }
  });

  it('answers 403 Form A to a user without a workspace who names none', async () => {
    const person = await platform.seed.person();
    expectFormA(await create({ name: 'x', kind: 'user' }, person.key), 403, /workspace/);
  });

  it('refuses invalid input with VALIDATION_ERROR and names the field', async () => {
    const cases: [object, string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'x', kind: 'root' }, 'kind'],
      [{ name: 'x', kind: null }, 'kind'],
      [{ name: 'x', scopes: [] }, 'scopes'],
      [{ name: 'x', scopes: 'admin' }, 'scopes'],
      [{ name: 'x', scopes: ['root'] }, 'scopes'],
      [{ name: 'x', scopes: ['read', 'read'] }, 'scopes'],
      [{ name: 'x', scopes: [{ $ne: 1 }] }, 'scopes'],
      [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ name: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ name: 'x', expiresAt: '2099-01-01' }, 'expiresAt'],
      [{ name: 'x', expiresAt: 4_070_908_800_000 }, 'expiresAt'],
      [{ name: 'x', key: 'sk_mine' }, 'key'],
      [{ name: 'x', userId: 'x' }, 'userId'],
      [{ name: 'x', workspaceId: 'x' }, 'workspaceId'],
      [{ name: 'x', rateLimit: 1_000_000 }, 'rateLimit'],
    ];
    for (const [body, field] of cases) {
      const response = await create(body);
      expect({ body, status: response.status }).toEqual({ body, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
  });
});
