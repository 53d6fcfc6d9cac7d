import { systemScope } from '@domain/access';
import { SuppressionsService } from '@domain/suppressions';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';

const PATH = '/v1/suppressions';

interface Page {
  data: { _id: string; value: string }[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('GET /v1/suppressions', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    const suppressions = platform.app.get(SuppressionsService, { strict: false });
    const scope = systemScope(workspace.workspaceId);
    await suppressions.add(scope, { addresses: ['ada@example.com'] }, { source: 'manual' });
    await suppressions.add(scope, { addresses: ['a.d+a@example.org'] }, { source: 'unsubscribe' });
    await suppressions.add(scope, { domains: ['example.org'] }, { source: 'crm' });
    await suppressions.add(scope, { domains: ['sub.example.net'] }, { source: 'manual' });
    const other = await platform.seed.workspace();
    await suppressions.add(systemScope(other.workspaceId), { addresses: ['ada@others.test'] }, { source: 'manual' });
  });
  afterAll(() => platform.close());

  const list = async (query = '') =>
    (await platform.api.as(workspace.key).get(PATH + query).expect(200)).body as Page; // prettier-ignore
  const NEWEST_FIRST = ['sub.example.net', 'example.org', 'a.d+a@example.org', 'ada@example.com'];

  it('lists the suppressions of the workspace, newest first', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ value }) => value)).toEqual(NEWEST_FIRST);
    expect(pagination).toEqual({ limit: 25, total: 4, hasMore: false, nextCursor: null });
  });

  it('pages by cursor, without a gap or a repetition during insertions and deletions', async () => {
    const first = await list('?limit=2');
    expect(first.pagination).toMatchObject({ limit: 2, total: 4, hasMore: true });
    const key = workspace.key;
    await platform.api.as(key).post(PATH).send({ domains: ['newer.example'] }).expect(201); // prettier-ignore
    const newer = (await list('?search=newer')).data[0]!._id;
    const second = await list(`?limit=2&cursor=${encodeURIComponent(first.pagination.nextCursor!)}`);
    expect([...first.data, ...second.data].map(({ value }) => value)).toEqual(NEWEST_FIRST);
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
    await platform.api.as(key).delete(`${PATH}/${newer}`).expect(200);
  });

  it.each([
    ['?kind=domain', ['sub.example.net', 'example.org']],
    ['?kind=address', ['a.d+a@example.org', 'ada@example.com']],
    ['?source=manual', ['sub.example.net', 'ada@example.com']],
    ['?source=unsubscribe', ['a.d+a@example.org']],
    ['?source=complaint', []],
    ['?source=manual&kind=address', ['ada@example.com']],
    ['?search=ADA', ['ada@example.com']],
    ['?search=example.org', ['example.org', 'a.d+a@example.org']],
    ['?search=d%2Ba', ['a.d+a@example.org']],
    ['?search=.*', []],
    ['?search=a.a', []],
    ['?search=', NEWEST_FIRST],
    ['?search=example&kind=domain&source=crm', ['example.org']],
  ])('finds exactly the matching entries by %s', async (query, values) => {
    expect((await list(query)).data.map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ['?kind=phone', 'kind'],
    ['?kind=', 'kind'],
    ['?kind=domain&kind=address', 'kind'],
    ['?source=other', 'source'],
    ['?source[$ne]=x', 'source[$ne]'],
    [`?search=${'x'.repeat(101)}`, 'search'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?cursor=x', 'cursor'],
    ['?value=x', 'value'],
  ])('refuses %s', async (query, field) => {
    expectFormB(await platform.api.as(workspace.key).get(PATH + query), 400, 'VALIDATION_ERROR', field);
  });

  it('accepts a read-only key', async () => {
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    await platform.api.as(readOnly).get(PATH).expect(200);
  });
});
