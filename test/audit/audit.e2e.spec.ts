import { systemScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { joined } from '../credits/joining';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';

const PATH = '/v1/audit';
const MINUTE_MS = 60_000;

interface Listed {
  success: boolean;
  data: { _id: string; action: string; target: { type: string; id: string }; createdAt: string }[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('GET /v1/audit', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace({ name: 'Acme' });
  });
  afterAll(() => platform.close());

  const list = async (query = '', of = workspace) => {
    const response = await platform.api
      .as(of.key)
      .get(PATH + query)
      .expect(200);
    return response.body as Listed;
  };

  it('shows who changed what, field by field', async () => {
    const path = `/v1/workspaces/${workspace.workspaceId}`;
    const patched = await platform.api.as(workspace.owner.key).patch(path).send({ name: 'Apex' }).expect(200);
    const { success, data } = await list('?action=workspace.updated');
    expect(success).toBe(true);
    expect(data).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        action: 'workspace.updated',
        actor: { kind: 'user', userId: workspace.owner.userId, keyId: expect.any(String) as string },
        target: { type: 'workspace', id: workspace.workspaceId },
        changes: { name: { from: 'Acme', to: 'Apex' } },
        requestId: patched.headers['x-request-id'],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      },
    ]);
  });

  it('has no entry for a refused change', async () => {
    const { pagination } = await list();
    const path = `/v1/workspaces/${workspace.workspaceId}`;
    await platform.api.as(workspace.owner.key).patch(path).send({ name: '' }).expect(400);
    expect((await list()).pagination.total).toBe(pagination.total);
  });

  it('excludes other workspaces', async () => {
    const other = await platform.seed.workspace();
    const own = await list('?limit=100');
    const ids = new Set(own.data.map(({ _id }) => _id));
    expect((await list('?limit=100', other)).data.filter(({ _id }) => ids.has(_id))).toEqual([]);
  });

  describe('the filters of GET /v1/audit', () => {
    let busy: SeededWorkspace;
    const start = Date.now();
    const at = (minutes: number) => new Date(start + minutes * MINUTE_MS).toISOString();

    beforeAll(async () => {
      busy = await platform.seed.workspace();
      const audit = platform.app.get(AuditService, { strict: false });
      const scope = systemScope(busy.workspaceId);
      const person = { ...scope, actor: { kind: 'user', userId: 'u1', keyId: 'k1' } as const };
      platform.clock.freeze(new Date(start + 10 * MINUTE_MS));
      await audit.record(person, { action: 'member.invited', target: { type: 'invitation', id: 'a' } });
      platform.clock.advance(10 * MINUTE_MS);
      await audit.record(scope, { action: 'member.removed', target: { type: 'member', id: 'b' } });
      platform.clock.advance(10 * MINUTE_MS);
      await audit.record(scope, { action: 'member.role_changed', target: { type: 'member', id: 'c' } });
      platform.clock.reset();
    });

    const targets = async (query: string) => (await list(query, busy)).data.map(({ target }) => target.id);

    it('lists newest first', async () => {
      expect((await targets('?limit=3')).slice(0, 3)).toEqual(['c', 'b', 'a']);
    });

    it('filters by action, person and record', async () => {
      expect(await targets('?action=member.removed')).toEqual(['b']);
      expect(await targets('?userId=u1')).toEqual(['a']);
      expect(await targets('?targetType=member')).toEqual(['c', 'b']);
      expect(await targets('?targetId=c')).toEqual(['c']);
      expect(await targets('?targetType=member&targetId=a')).toEqual([]);
    });

    it('filters by time, start included and end excluded', async () => {
      expect(await targets(`?from=${at(10)}&to=${at(30)}`)).toEqual(['b', 'a']);
      expect(await targets(`?from=${at(20)}`)).toEqual(['c', 'b']);
      expect(await targets(`?from=${at(20)}&targetType=member&limit=1`)).toEqual(['c']);
    });

    it('returns page after page without a gap or a repetition, with filters applied', async () => {
      const first = await list(`?from=${at(10)}&limit=2`, busy);
      expect(first.pagination).toMatchObject({ limit: 2, total: 3, hasMore: true });
      const second = await list(`?from=${at(10)}&limit=2&cursor=${first.pagination.nextCursor ?? ''}`, busy);
      expect([...first.data, ...second.data].map(({ target }) => target.id)).toEqual(['c', 'b', 'a']);
      expect(second.pagination).toEqual({ limit: 2, total: 3, hasMore: false, nextCursor: null });
    });

    it('refuses a cursor that was tampered with or belongs to another list', async () => {
      const cursor = (await list('?limit=1', busy)).pagination.nextCursor ?? '';
      const get = (query: string, key = busy.key) => platform.api.as(key).get(PATH + query);
      const tampered = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
      expectFormB(await get(`?limit=1&cursor=${tampered}`), 400, 'VALIDATION_ERROR', 'cursor');
      expectFormB(await get(`?limit=1&cursor=${cursor}&userId=u1`), 400, 'VALIDATION_ERROR', 'cursor');
      expectFormB(await get(`?limit=1&cursor=${cursor}`, workspace.key), 400, 'VALIDATION_ERROR', 'cursor');
    });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=0x10', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['action=workspace.painted', 'action'],
    ['action=', 'action'],
    ['action=member.removed&action=member.invited', 'action'],
    ['userId=', 'userId'],
    [`userId=${'x'.repeat(65)}`, 'userId'],
    ['userId[$ne]=x', 'userId[$ne]'],
    ['targetType=planet', 'targetType'],
    ['targetId=', 'targetId'],
    ['targetId=a&targetId=b', 'targetId'],
    ['from=yesterday', 'from'],
    ['from=2026-03-01', 'from'],
    ['from=2026-03-01T12:00:00', 'from'],
    ['from=2026-02-30T12:00:00Z', 'from'],
    ['from=2026-W09-7T12:00:00Z', 'from'],
    ['to=1772366400000', 'to'],
    ['to=', 'to'],
    ['from=2026-03-01T12:00:00Z&to=2026-03-01T12:00:00Z', 'to'],
    ['from=2026-03-02T12:00:00Z&to=2026-03-01T12:00:00Z', 'to'],
    ['workspaceId=x', 'workspaceId'],
  ])('refuses ?%s and names the field', async (query, field) => {
    expectFormB(await platform.api.as(workspace.key).get(`${PATH}?${query}`), 400, 'VALIDATION_ERROR', field);
  });

  it('accepts admins and rejects members, limited keys, strangers and requests without a key', async () => {
    const admin = await joined(platform, workspace, 'admin');
    const member = await joined(platform, workspace, 'member');
    const limited = await platform.seed.workspaceKey(workspace.workspaceId, ['read', 'write']);
    const stranger = await platform.seed.workspace();
    const as = (key: string) => platform.api.as(key).in(workspace.workspaceId).get(PATH);
    await as(admin.key).expect(200);
    await as(workspace.owner.key).expect(200);
    for (const key of [member.key, limited, stranger.key, stranger.owner.key]) expectFormA(await as(key), 403);
    expectFormA(await platform.api.get(PATH), 401);
  });

  it('cannot be written or deleted over HTTP', async () => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      expectFormA(await platform.api.as(workspace.key)[method](PATH), 405);
    }
  });
});
