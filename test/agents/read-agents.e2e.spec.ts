import { expectFormB, type Platform, sharedPlatform } from '../harness';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { type Agent, Agents } from './agents';

describe('reading agents', () => {
  let platform: Platform;
  let agents: Agents;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    agents = await Agents.of(platform);
  });
  afterAll(() => platform.close());

  it('lists agents newest first, with the fields of a single read', async () => {
    expect(await agents.list()).toEqual([]);
    const first = await agents.make({ name: 'First' });
    platform.clock.advance(1_000);
    const second = await agents.make({ name: 'Second', autonomousMode: { enabled: true } });
    expect(await agents.list()).toEqual([second, first]);
    expect(await agents.read(second._id)).toEqual(second);
  });

  it('pages through them', async () => {
    for (const name of ['A', 'B', 'C']) {
      platform.clock.advance(1_000);
      await agents.make({ name });
    }
    const first = await agents.api.get('/v1/agents?limit=2').expect(200);
    const { pagination } = first.body as { pagination: { nextCursor: string } };
    expect(pagination).toEqual({ limit: 2, total: 3, hasMore: true, nextCursor: expect.any(String) as unknown });
    const rest = await agents.list(`limit=2&cursor=${encodeURIComponent(pagination.nextCursor)}`);
    expect([...dataOf<Agent[]>(first), ...rest].map(({ name }) => name)).toEqual(['C', 'B', 'A']);
  });

  it('finds agents by a literal part of their name', async () => {
    await agents.make({ name: 'Iris (DE)' });
    await agents.make({ name: 'Otto' });
    expect((await agents.list('search=iris')).map(({ name }) => name)).toEqual(['Iris (DE)']);
    expect(await agents.list('search=.*')).toEqual([]);
    expect(await agents.list(`search=${encodeURIComponent('(de)')}`)).toHaveLength(1);
  });

  it('refuses an invalid list query and names the field', async () => {
    const cases: readonly string[] = [
      'limit=0',
      'limit=101',
      'limit=1e1',
      'cursor=x',
      'order=name',
      `search=${'x'.repeat(101)}`,
    ];
    for (const query of cases) {
      const [field = ''] = query.split('=');
      expectFormB(await agents.api.get(`/v1/agents?${query}`), 400, 'VALIDATION_ERROR', field);
    }
  });

  it('answers 404 for an agent of another workspace and for a deleted one', async () => {
    const theirs = await (await Agents.of(platform)).make();
    const gone = await agents.make();
    await agents.delete(gone._id);
    for (const id of [theirs._id, gone._id, UNKNOWN_ID, ...MALFORMED_IDS]) {
      for (const what of ['', '/details', '/texts']) {
        expectFormB(await agents.api.get(`/v1/agents/${id}${what}`), 404, 'NOT_FOUND');
      }
    }
    const { body } = await agents.api.get(`/v1/agents/${UNKNOWN_ID}`);
    expect(body).toEqual({ success: false, error: { code: 'NOT_FOUND', message: 'Agent not found' } });
  });
});
