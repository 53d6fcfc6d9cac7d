import { type SeededWorkspace, expectFormA, expectFormB } from '../harness';
import { ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Blacklists, type BlacklistTest, LISTED, type ListedTest } from './blacklists';

interface Page {
  data: ListedTest[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('the reads of blacklist tests', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;
  let mailboxes: { _id: string; email: string }[];
  let done: BlacklistTest;

  beforeAll(async () => {
    lists = await Blacklists.start();
    workspace = await lists.platform.seed.workspace();
    lists.dns.zone.change({
      'bad.example.dbl.test': { ...LISTED, TXT: ['Seen in spam: https://dbl.test/?bad.example'] },
      'bad.example.gossip.test': LISTED,
      'odd.example.gossip.test': LISTED,
      '8.7.6.5.canary-key.bl.test': LISTED,
      'smtp.good.example': { A: ['5.6.7.1'] },
    });
    mailboxes = [
      await lists.mailbox(workspace, 'bad.example', '5.6.7.8'),
      await lists.mailbox(workspace, 'good.example', 'smtp.good.example'),
      await lists.mailbox(workspace, 'odd.example'),
    ];
    done = await lists.test(workspace, ...mailboxes);
  });
  afterAll(() => lists.close());

  const get = (path: string, key = workspace.key) => lists.platform.api.as(key).get(path);
  const list = async (query = '', key = workspace.key) => (await get(`/v1/blacklist-tests${query}`, key)).body as Page;

  it('shows the findings for each mailbox', () => {
    expect(done).toMatchObject({
      status: 'completed',
      overallSummary: { totalChecked: 3, clean: 2, blacklisted: 1 },
      progress: { done: 8, total: 8 },
      startedAt: ISO,
      completedAt: ISO,
      error: null,
    });
    expect(done.startedAt! <= done.completedAt!).toBe(true);
    expect(done.results).toMatchObject([
      { mailboxId: mailboxes[0]!._id, email: mailboxes[0]!.email, verdict: 'blacklisted', impact: 100, notChecked: [] },
      { verdict: 'clean', impact: 0, counts: { listed: 0, clear: 3, unknown: 0, zone_broken: 0 }, listings: [] },
      {
        verdict: 'clean',
        impact: 0,
        counts: { listed: 1, clear: 1 },
        notChecked: [{ what: 'addresses', reason: 'shared_addresses' }],
      },
    ]);
    expect(done.results[0]!.listings).toEqual([
      {
        subject: 'bad.example',
        zone: 'dbl.test',
        result: 'listed',
        listing: 'abuse',
        codes: ['127.0.0.2'],
        meaning: 'listed',
        reason: 'Seen in spam: https://dbl.test/?bad.example',
        weight: 100,
        removalUrl: 'https://dbl.test/out',
      },
      expect.objectContaining({ subject: '5.6.7.8', zone: 'bl.test', weight: 80, reason: null }),
      expect.objectContaining({ subject: 'bad.example', zone: 'gossip.test', weight: 0 }),
    ]);
  });

  it('has exactly the documented fields', () => {
    expect(Object.keys(done).toSorted()).toEqual(
      `_id completedAt createdAt error mailboxIds mailboxes overallSummary progress results scheduleId startedAt status
      testCode testName updatedAt userId workspaceId`.split(/\s+/),
    );
    expect(Object.keys(done.results[0]!).toSorted()).toEqual(
      'counts email impact listings mailboxId notChecked subjects verdict'.split(' '),
    );
  });

  it('asks about each subject once, and shows no key of the operator', async () => {
    const names = lists.dns.queries.filter(({ type }) => type === 'A').map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const bodies = [await get(`/v1/blacklist-tests/${done._id}`), await get('/v1/blacklist-zones')];
    for (const { text } of bodies) expect(text).not.toContain('canary-key');
    expect(lists.platform.logged()).not.toContain('canary-key');
    expect(names.some((name) => name.includes('canary-key'))).toBe(true);
  });

  describe('GET /v1/blacklist-tests/:testId', () => {
    it('answers 404 Form A to an unknown id, a malformed id and another workspace’s test', async () => {
      for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
        expectFormA(await get(`/v1/blacklist-tests/${id}`), 404, /^Blacklist test not found$/);
      }
      const other = await lists.platform.seed.workspace();
      expectFormA(await get(`/v1/blacklist-tests/${done._id}`, other.key), 404, /^Blacklist test not found$/);
    });
  });

  describe('GET /v1/blacklist-tests/:testId/mailboxes/:mailboxId', () => {
    it('shows the result of each zone for each subject', async () => {
      const [, good] = mailboxes;
      const { data } = (await get(`/v1/blacklist-tests/${done._id}/mailboxes/${good!._id}`)).body as {
        data: { verdict: string; checks: Record<string, unknown>[]; subjects: unknown };
      };
      expect(data.verdict).toBe('clean');
      expect(data.subjects).toEqual([
        { subject: 'good.example', kind: 'domain', source: 'domain' },
        { subject: '5.6.7.1', kind: 'ipv4', source: 'smtp_host' },
      ]);
      expect(data.checks.map(({ subject, zone, result }) => [subject, zone, result])).toEqual([
        ['good.example', 'dbl.test', 'clear'],
        ['good.example', 'gossip.test', 'clear'],
        ['5.6.7.1', 'bl.test', 'clear'],
      ]);
    });

    it('answers 404 Form A to a mailbox outside the test and to an unknown test', async () => {
      const other = await lists.mailbox(workspace, 'good.example');
      for (const id of [other._id, UNKNOWN_ID, ...MALFORMED_IDS]) {
        expectFormA(await get(`/v1/blacklist-tests/${done._id}/mailboxes/${id}`), 404);
      }
      expectFormA(await get(`/v1/blacklist-tests/${UNKNOWN_ID}/mailboxes/${mailboxes[0]!._id}`), 404);
    });
  });

  describe('GET /v1/blacklist-tests', () => {
    let other: SeededWorkspace;
    let tests: BlacklistTest[];

    beforeAll(async () => {
      other = await lists.platform.seed.workspace();
      const mailbox = await lists.mailbox(other, 'good.example');
      tests = [];
      for (const testName of ['First', 'Second', 'Third']) {
        const { _id } = await lists.create(other, { testName, mailboxIds: [mailbox._id] });
        tests.push(await lists.over(other, _id));
      }
    });

    it('lists the tests of the workspace, newest first, with exactly the documented fields', async () => {
      const page = await list('', other.key);
      expect(page.data).toEqual(
        tests.toReversed().map(({ _id, testName, status, overallSummary, startedAt, completedAt, createdAt }) => ({
          _id,
          testName,
          status,
          overallSummary,
          startedAt,
          completedAt,
          createdAt,
        })),
      );
      expect(page.data[0]!.overallSummary).toEqual({ totalChecked: 1, clean: 1, blacklisted: 0 });
      expect(page.pagination).toEqual({ limit: 25, total: 3, hasMore: false, nextCursor: null });
    });

    it('pages by cursor', async () => {
      const first = await list('?limit=2', other.key);
      expect(first.pagination).toMatchObject({ limit: 2, total: 3, hasMore: true });
      const second = await list(`?limit=2&cursor=${encodeURIComponent(first.pagination.nextCursor!)}`, other.key);
      expect([...first.data, ...second.data].map(({ testName }) => testName)).toEqual(['Third', 'Second', 'First']);
      expect(second.pagination).toEqual({ limit: 2, total: 3, hasMore: false, nextCursor: null });
    });

    it.each([
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
      ['?limit=ten', 'limit'],
      ['?cursor=x', 'cursor'],
      ['?status=pending', 'status'],
    ])('refuses %s', async (query, field) => {
      expectFormB(await get(`/v1/blacklist-tests${query}`), 400, 'VALIDATION_ERROR', field);
    });
  });

  describe('GET /v1/blacklist-zones', () => {
    it('lists the zones with the result of their last self-test', async () => {
      const { data } = (await get('/v1/blacklist-zones')).body as { data: Record<string, unknown>[] };
      expect(data[0]).toEqual({
        zone: 'bl.test',
        kind: 'ipv4',
        name: 'Test list',
        weight: 80,
        removalUrl: 'https://bl.test/out',
        access: 'open',
        selfTest: { outcome: 'works', detail: null, testedAt: ISO },
      });
      // No mailbox of these tests has an IPv6 address.
      expect(data[1]).toMatchObject({ zone: 'bl6.test', kind: 'ipv6', selfTest: null });
      expect(data).toHaveLength(4);
    });
  });
});
