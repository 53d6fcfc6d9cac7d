import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { type Platform, type SeededWorkspace, expectFormA, expectFormB, sharedPlatform } from '../harness';
import { joined } from './joining';

const PATH = '/v1/credits/ledger';

interface Listed {
  success: boolean;
  data: { _id: string; operation: string; kind: string; amount: number; balanceAfter: number; createdAt: string }[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('GET /v1/credits/ledger', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    const scope = systemScope(workspace.workspaceId);
    const credits = platform.app.get(CreditsService, { strict: false });
    const reservations = platform.app.get(CreditsService, { strict: false });
    await credits.grant(scope, { amount: 10, reason: 'paid', operation: 'invoice:1' });
    await credits.charge(scope, { amount: 3, reason: 'an agent', operation: 'agent:1' });
    await reservations.reserve(scope, { amount: 5, reason: 'a check', operation: 'check:1', ttlMs: 60_000 });
    await reservations.settle(scope, 'check:1', 2);
    await platform.seed.workspace({ credits: 99 });
  });
  afterAll(() => platform.close());

  const list = async (query = '') => {
    const response = await platform.api
      .as(workspace.key)
      .get(PATH + query)
      .expect(200);
    return response.body as Listed;
  };

  it('lists every change with all its fields, newest first', async () => {
    const { success, data, pagination } = await list();
    expect(success).toBe(true);
    expect(pagination).toEqual({ limit: 25, total: 4, hasMore: false, nextCursor: null });
    expect(data.map(({ kind, operation, amount, balanceAfter }) => [kind, operation, amount, balanceAfter])).toEqual([
      ['settle', 'check:1', 3, 5],
      ['reserve', 'check:1', -5, 2],
      ['charge', 'agent:1', -3, 7],
      ['grant', 'invoice:1', 10, 10],
    ]);
    expect(data[0]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      operation: 'check:1',
      kind: 'settle',
      amount: 3,
      balanceAfter: 5,
      reason: 'a check',
      actor: { kind: 'system', userId: null, keyId: null },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
  });

  it('filters by kind and by operation', async () => {
    expect((await list('?kind=charge')).data.map(({ operation }) => operation)).toEqual(['agent:1']);
    expect((await list('?operation=check:1')).data.map(({ kind }) => kind)).toEqual(['settle', 'reserve']);
    expect((await list('?operation=check:1&kind=reserve')).pagination.total).toBe(1);
    expect((await list('?operation=unknown')).data).toEqual([]);
  });

  it('returns page after page without a gap or a repetition', async () => {
    const seen: string[] = [];
    let query = '?limit=3';
    for (let next: string | null = ''; next !== null; query = `?limit=3&cursor=${next}`) {
      const page = await list(query);
      expect(page.pagination).toMatchObject({ limit: 3, total: 4 });
      seen.push(...page.data.map(({ kind }) => kind));
      next = page.pagination.nextCursor;
    }
    expect(seen).toEqual(['settle', 'reserve', 'charge', 'grant']);
  });

  it('refuses a cursor that was tampered with or belongs to another list', async () => {
    const cursor = (await list('?limit=1')).pagination.nextCursor ?? '';
    const middle = Math.floor(cursor.length / 2);
    const tampered = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    const get = (query: string, key = workspace.key) => platform.api.as(key).get(PATH + query);
    expectFormB(await get(`?limit=1&cursor=${tampered}`), 400, 'VALIDATION_ERROR', 'cursor');
    expectFormB(await get(`?limit=1&cursor=${cursor}&kind=grant`), 400, 'VALIDATION_ERROR', 'cursor');
    const other = await platform.seed.workspace();
    expectFormB(await get(`?limit=1&cursor=${cursor}`, other.key), 400, 'VALIDATION_ERROR', 'cursor');
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=5.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    ['kind=gift', 'kind'],
    ['kind=', 'kind'],
    ['kind=grant&kind=charge', 'kind'],
    ['operation=', 'operation'],
    [`operation=${'x'.repeat(201)}`, 'operation'],
    ['operation[$ne]=x', 'operation[$ne]'],
    ['workspaceId=x', 'workspaceId'],
  ])('refuses ?%s and names the field', async (query, field) => {
    expectFormB(await platform.api.as(workspace.key).get(`${PATH}?${query}`), 400, 'VALIDATION_ERROR', field);
  });

  it('accepts admins and rejects members, read-only keys, strangers and requests without a key', async () => {
    const admin = await joined(platform, workspace, 'admin');
    const member = await joined(platform, workspace, 'member');
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read', 'write']);
    const stranger = await platform.seed.workspace();
    const as = (key: string) => platform.api.as(key).in(workspace.workspaceId).get(PATH);
    await as(admin.key).expect(200);
    await as(workspace.owner.key).expect(200);
    for (const key of [member.key, readOnly, stranger.key, stranger.owner.key]) expectFormA(await as(key), 403);
    expectFormA(await platform.api.get(PATH), 401);
  });
});
