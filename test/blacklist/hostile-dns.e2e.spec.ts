import { type SeededWorkspace } from '../harness';
import { Blacklists, type BlacklistTest, LISTED } from './blacklists';

/** Past the time for which a self-test is believed. */
const DAY_MS = 86_400_000;

describe('blacklist tests by a domain name system that is dead, slow or lies', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string };

  beforeAll(async () => {
    lists = await Blacklists.start();
    workspace = await lists.platform.seed.workspace();
    mailbox = await lists.mailbox(workspace, 'acme.example', '5.6.7.8');
  });
  afterAll(() => lists.close());
  beforeEach(() => {
    lists.platform.clock.advance(DAY_MS);
    lists.dns.does = () => null;
    lists.dns.queries.length = 0;
  });

  const resultsIn = async (zone: string, test: BlacklistTest) => {
    const path = `/v1/blacklist-tests/${test._id}/mailboxes/${mailbox._id}`;
    const { data } = (await lists.platform.api.as(workspace.key).get(path)).body as {
      data: { checks: { zone: string; result: string; meaning: string | null }[] };
    };
    return data.checks.filter((check) => check.zone === zone).map(({ result }) => result);
  };
  const isOf = (zone: string) => (query: { name: string }) => query.name.endsWith(`.${zone}`);

  it('fails with a reason, and calls nobody listed or clean, when no resolver answers', async () => {
    lists.dns.does = () => 'drop';
    const test = await lists.test(workspace, mailbox);
    expect(test).toMatchObject({
      status: 'failed',
      overallSummary: null,
      error: { code: 'BLACKLISTS_SILENT' },
      results: [{ verdict: 'unknown', counts: { listed: 0, clear: 0, unknown: 3, zone_broken: 0 } }],
    });
  }, 60_000);

  it('believes the zones that answer when one does not', async () => {
    lists.dns.does = (query) => (isOf('bl.test')(query) ? 'drop' : null);
    const test = await lists.test(workspace, mailbox);
    expect(test).toMatchObject({ status: 'completed', overallSummary: { totalChecked: 1, clean: 1, blacklisted: 0 } });
    expect(await resultsIn('bl.test', test)).toEqual(['unknown']);
  }, 60_000);

  it.each(['servfail', 'refused', 'garbage', 'runt'] as const)(
    'takes %s for no answer',
    async (fault) => {
      lists.dns.does = (query) => (isOf('dbl.test')(query) ? fault : null);
      const test = await lists.test(workspace, mailbox);
      expect(await resultsIn('dbl.test', test)).toEqual(['unknown']);
      expect(test.overallSummary).toEqual({ totalChecked: 1, clean: 1, blacklisted: 0 });
    },
    60_000,
  );

  it('reads an answer that comes over TCP because it is too long', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `127.0.${Math.floor(at / 250) + 2}.${(at % 250) + 1}`);
    lists.dns.zone.change({ 'acme.example.dbl.test': { A: many, TXT: ['x'.repeat(90_000 / 2)] } });
    const test = await lists.test(workspace, mailbox);
    lists.dns.zone.remove('acme.example.dbl.test');
    expect(lists.dns.queries.some(({ transport }) => transport === 'tcp')).toBe(true);
    expect(test.overallSummary).toEqual({ totalChecked: 1, clean: 0, blacklisted: 1 });
    const [listing] = test.results[0]!.listings;
    expect(listing).toMatchObject({ zone: 'dbl.test' });
    expect((listing!['codes'] as string[]).length).toBe(10);
    expect((listing!['reason'] as string).length).toBeLessThanOrEqual(500);
  }, 60_000);

  it.each([
    ['a wildcard that lists everybody', { '*.dbl.test': LISTED, '*.gossip.test': LISTED }, 'zone_broken'],
    ['a resolver that answers every name with its own page', { '*.dbl.test': { A: ['1.2.3.4'] } }, 'zone_broken'],
    ['a zone that refuses public resolvers', { '*.dbl.test': { A: ['127.255.255.254'] } }, 'unknown'],
    [
      'aliases in a circle',
      {
        '*.dbl.test': { CNAME: 'a.circle.test' },
        'a.circle.test': { CNAME: 'b.circle.test' },
        'b.circle.test': { CNAME: 'a.circle.test' },
      },
      'unknown',
    ],
  ] as const)(
    'is not taken in by %s',
    async (_what, table, result) => {
      lists.dns.zone.change(table);
      const test = await lists.test(workspace, mailbox);
      lists.dns.zone.remove(...Object.keys(table));
      expect(await resultsIn('dbl.test', test)).toEqual([result]);
      expect(test.overallSummary).toEqual({ totalChecked: 1, clean: 1, blacklisted: 0 });
      expect(test.results[0]!.listings).toEqual([]);
    },
    60_000,
  );
});
