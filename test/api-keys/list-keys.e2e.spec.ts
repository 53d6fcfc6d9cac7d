import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ID, ISO, newMember } from '../workspaces/people';
import { type ApiKey, newKey } from './keys';

describe('GET /v1/api-keys', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const list = (query = '', key = workspace.owner.key) => platform.api.as(key).get(`/v1/api-keys${query}`);
  const names = async (query: string, key?: string) => dataOf<ApiKey[]>(await list(query, key)).map(({ name }) => name);

  it('lists the keys of the workspace, newest first, revoked ones included, without their secrets', async () => {
    platform.clock.advance(1000);
    const made = await newKey(platform, workspace.owner.key, { name: 'Second' });
    await platform.api.as(workspace.owner.key).delete(`/v1/api-keys/${made._id}`).expect(200);
    const response = await list();
    expect(response.body as unknown).toEqual({
      success: true,
      data: [
        {
          _id: made._id,
          kind: 'workspace',
          workspaceId: workspace.workspaceId,
          name: 'Second',
          scopes: ['read', 'write', 'admin'],
          last4: made.last4,
          rateLimit: null,
          createdBy: { kind: 'user', userId: workspace.owner.userId, keyId: ID },
          lastUsedAt: null,
          expiresAt: null,
          revokedAt: ISO,
          createdAt: ISO,
        },
        expect.objectContaining({ name: 'Seeded', last4: workspace.key.slice(-4), revokedAt: null }),
      ],
      pagination: { limit: 25, total: 2, hasMore: false, nextCursor: null },
    });
    for (const secret of ['hash', 'secrets', workspace.key, made.key]) expect(response.text).not.toContain(secret);
  });

  it('lists only the caller’s own platform keys with kind=user', async () => {
    const member = await newMember(platform, workspace);
    await newKey(platform, member.key, { kind: 'user', name: 'Laptop' });
    expect((await names('?kind=user', member.key)).sort()).toEqual(['Laptop', 'Seeded']);
    expect(await names('?kind=user')).toEqual(['Seeded']);
    expect(await names('?kind=workspace')).toEqual(['Seeded']);
  });

  it('shows workspace keys to owners and admins only, and no platform keys to a workspace key', async () => {
    const [admin, member] = [await newMember(platform, workspace, 'admin'), await newMember(platform, workspace)];
    expect((await list('', admin.key)).status).toBe(200);
    expect((await list('', member.key)).status).toBe(403);
    expect((await list('?kind=user', workspace.key)).status).toBe(403);
    expect((await list('', (await newKey(platform, workspace.key, { scopes: ['read'] })).key)).status).toBe(403);
  });

  it('excludes other workspaces', async () => {
    const other = await platform.seed.workspace({ owner: workspace.owner });
    await newKey(platform, other.key, { name: 'Elsewhere' });
    expect(await names('')).toEqual(['Seeded']);
    expect(
      dataOf<ApiKey[]>(await platform.api.as(workspace.owner.key).in(other.workspaceId).get('/v1/api-keys')),
    ).toHaveLength(2);
  });

  it('finds keys by a literal part of their name, in any case', async () => {
    for (const name of ['CI deploy', 'ci (test)', 'a.b']) await newKey(platform, workspace.owner.key, { name });
    expect((await names('?search=ci')).sort()).toEqual(['CI deploy', 'ci (test)']);
    expect(await names('?search=(TEST)')).toEqual(['ci (test)']);
    expect(await names('?search=a.b')).toEqual(['a.b']);
    expect(await names('?search=.*')).toEqual([]);
  });

  it('pages by cursor, and accepts a cursor for the same list only', async () => {
    for (const name of ['a', 'b', 'c']) await newKey(platform, workspace.owner.key, { name });
    const first = (await list('?limit=2')).body as { data: ApiKey[]; pagination: { nextCursor: string } };
    const cursor = encodeURIComponent(first.pagination.nextCursor);
    const second = dataOf<ApiKey[]>(await list(`?limit=2&cursor=${cursor}`));
    expect([...first.data, ...second].map(({ name }) => name).sort()).toEqual(['Seeded', 'a', 'b', 'c']);
    for (const query of [`?search=a&cursor=${cursor}`, `?kind=user&cursor=${cursor}`]) {
      expectFormB(await list(query), 400, 'VALIDATION_ERROR', 'cursor');
    }
    const other = await platform.seed.workspace();
    expectFormB(await list(`?cursor=${cursor}`, other.owner.key), 400, 'VALIDATION_ERROR', 'cursor');
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=0x10', 'limit'],
    ['kind=root', 'kind'],
    ['kind=user&kind=workspace', 'kind'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['search[$ne]=x', 'search[$ne]'],
    ['userId=x', 'userId'],
  ])('refuses %s', async (query, field) => {
    expectFormB(await list(`?${query}`), 400, 'VALIDATION_ERROR', field);
  });
});
