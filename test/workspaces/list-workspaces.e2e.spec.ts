import { expectFormB, type Platform, sharedPlatform } from '../harness';
import { dataOf, newMember } from './people';

interface Listed {
  data: { id: string; name: string }[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('GET /v1/workspaces', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  afterAll(() => platform.close());

  const list = async (key: string, query = '') =>
    (await platform.api.as(key).get(`/v1/workspaces${query}`).expect(200)).body as Listed;

  it('lists all workspaces of a user, newest first, with the fields of a single read', async () => {
    const owner = await platform.seed.person();
    const first = await platform.seed.workspace({ owner, name: 'First' });
    platform.clock.advance(1000);
    const foreign = await platform.seed.workspace({ name: 'Foreign' });
    platform.clock.advance(1000);
    const third = await platform.seed.workspace({ owner, name: 'Third' });
    const { data, pagination } = await list(owner.key);
    expect(data.map(({ name }) => name)).toEqual(['Third', 'First']);
    expect(pagination).toEqual({ limit: 25, total: 2, hasMore: false, nextCursor: null });
    expect(data[0]).toEqual(dataOf(await platform.api.as(owner.key).get(`/v1/workspaces/${third.workspaceId}`)));
    const member = await newMember(platform, foreign);
    await newMember(platform, first);
    expect((await list(member.key)).data.map(({ name }) => name)).toEqual(['Foreign']);
  });

  it('lists only the key’s own workspace for a workspace key', async () => {
    const owner = await platform.seed.person();
    const workspace = await platform.seed.workspace({ owner, name: 'Own' });
    await platform.seed.workspace({ owner });
    const { data, pagination } = await list(workspace.key);
    expect(data.map(({ id }) => id)).toEqual([workspace.workspaceId]);
    expect(pagination.total).toBe(1);
  });

  it('excludes workspaces that were deleted or left', async () => {
    const owner = await platform.seed.person();
    const gone = await platform.seed.workspace({ owner });
    const kept = await platform.seed.workspace({ owner });
    await platform.api.as(owner.key).delete(`/v1/workspaces/${gone.workspaceId}`).expect(200);
    expect((await list(owner.key)).data.map(({ id }) => id)).toEqual([kept.workspaceId]);
    const member = await newMember(platform, kept);
    await platform.api.as(member.key).delete(`/v1/workspaces/${kept.workspaceId}/members/${member.userId}`).expect(200);
    expect((await list(member.key)).data).toEqual([]);
  });

  it('pages by cursor through every workspace once, and refuses another user’s cursor', async () => {
    const owner = await platform.seed.person();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await platform.seed.workspace({ owner, name });
    const seen: string[] = [];
    let cursor: string | null = null;
    let lastCursor = '';
    do {
      const page: Listed = await list(owner.key, `?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      expect(page.pagination).toMatchObject({ limit: 2, total: 5 });
      seen.push(...page.data.map(({ name }) => name));
      cursor = page.pagination.nextCursor;
      lastCursor = cursor ?? lastCursor;
    } while (cursor);
    expect([...seen].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const stranger = await platform.seed.workspace();
    expectFormB(
      await platform.api.as(stranger.owner.key).get(`/v1/workspaces?cursor=${encodeURIComponent(lastCursor)}`),
      400,
      'VALIDATION_ERROR',
      'cursor',
    );
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e2',
    'limit=0x10',
    'limit=5.5',
    'limit=',
    'limit=5&limit=6',
    'limit=%205',
  ])('refuses %s', async (query) => {
    const { owner } = await platform.seed.workspace();
    expectFormB(await platform.api.as(owner.key).get(`/v1/workspaces?${query}`), 400, 'VALIDATION_ERROR', 'limit');
  });

  it('refuses an unknown query parameter and an invalid cursor', async () => {
    const { owner } = await platform.seed.workspace();
    expectFormB(await platform.api.as(owner.key).get('/v1/workspaces?userId=x'), 400, 'VALIDATION_ERROR', 'userId');
    expectFormB(await platform.api.as(owner.key).get('/v1/workspaces?cursor=abc'), 400, 'VALIDATION_ERROR', 'cursor');
  });
});
