import { expectFormB, type SeededWorkspace } from '../harness';
import { ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { DomainsFixture } from './domains';

interface Entry {
  spf: string;
  healthScore: number;
  changes: object[];
  [field: string]: unknown;
}

interface Listed {
  data: Entry[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

const DAY = 86_400_000;

describe('GET /v1/mailboxes/:mailboxId/health/history', () => {
  let fixture: DomainsFixture;
  let workspace: SeededWorkspace;
  let domain: string;
  let mailbox: { _id: string };

  beforeAll(async () => {
    fixture = await DomainsFixture.start();
    workspace = await fixture.platform.seed.workspace();
    domain = fixture.domain();
    mailbox = await fixture.mailbox(workspace, domain);
    fixture.platform.clock.freeze(new Date('2026-11-21T08:00:00.000Z'));
    await check();
    await check();
    fixture.spf(domain);
    await check();
    fixture.platform.clock.advance(DAY);
    await check();
  });
  afterAll(() => fixture.close());

  const path = (id = mailbox._id) => `/v1/mailboxes/${id}/health`;
  const history = (query = '', id = mailbox._id, key = workspace.key) =>
    fixture.platform.api.as(key).get(`${path(id)}/history${query}`);
  const list = async (query = '', id = mailbox._id) => (await history(query, id).expect(200)).body as Listed;

  async function check(): Promise<void> {
    fixture.platform.clock.advance(60_000);
    await fixture.platform.api.as(workspace.key).post(`${path()}/check`).expect(200);
  }

  it('has an entry for the first check, for each change and for each day, latest first', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ spf, healthScore, changes }) => [spf, healthScore, changes.length])).toEqual([
      ['fail', 70, 0],
      ['fail', 70, 1],
      ['pass', 100, 0],
    ]);
    expect(pagination).toEqual({ limit: 25, total: 3, hasMore: false, nextCursor: null });
  });

  it('answers exactly the documented fields', async () => {
    const { data } = await list();
    expect(data[1]).toEqual({
      _id: ID,
      domain,
      healthScore: 70,
      mx: 'pass',
      spf: 'fail',
      dkim: 'pass',
      dmarc: 'pass',
      changes: [{ check: 'spf', from: 'pass', to: 'fail', problems: [expect.stringMatching(/^[a-z_]+$/)] }],
      createdAt: ISO,
    });
  });

  it('pages, with the same entries for every mailbox of the domain', async () => {
    const second = await fixture.mailbox(workspace, domain, 'bob');
    const first = await list('?limit=2', second._id);
    expect(first.pagination).toMatchObject({ total: 3, hasMore: true });
    const rest = await list(`?limit=2&cursor=${first.pagination.nextCursor}`, second._id);
    expect([...first.data, ...rest.data]).toEqual((await list()).data);
  });

  it('is empty for a domain that was never checked', async () => {
    const other = await fixture.mailbox(workspace, fixture.domain());
    expect(await list('', other._id)).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it.each(['0', '101', 'x', '1e1'])('refuses the limit %s', async (limit) => {
    expectFormB(await history(`?limit=${limit}`), 400, 'VALIDATION_ERROR', 'limit');
  });

  it.each([UNKNOWN_ID, ...MALFORMED_IDS])('answers 404 to %s', async (id) => {
    expectFormB(await history('', id), 404, 'NOT_FOUND');
  });

  it('answers 404 to another workspace’s mailbox', async () => {
    const other = await fixture.platform.seed.workspace();
    expectFormB(await history('', mailbox._id, other.key), 404, 'NOT_FOUND');
  });
});
