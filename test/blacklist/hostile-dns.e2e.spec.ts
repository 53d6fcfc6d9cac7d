import { type Fault, type ReceivedQuery } from '../../libs/adapters/dns/testing';
import { type SeededWorkspace } from '../harness';
import { dataOf } from '../workspaces/people';
import { Blacklists, type BlacklistTest, LISTED } from './blacklists';

/** Longer than the result of a self-test stays valid. */
const DAY_MS = 86_400_000;
const NOTHING = { totalChecked: 0, clean: 0, blacklisted: 0 };

/** Zones whose server fails from the start, and the resulting self-test. */
const WRONG = {
  'dropping.test': ['drop', 'silent'],
  'failing.test': ['servfail', 'silent'],
  'refusing.test': ['refused', 'refused'],
  'garbage.test': ['garbage', 'silent'],
  'runt.test': ['runt', 'silent'],
} as const;
/** Zones that fail once they are asked about a domain. */
const WRONG_LATER = {
  'failing-later.test': 'servfail',
  'refusing-later.test': 'refused',
  'garbage-later.test': 'garbage',
} as const;
const DOMAIN = 'acme.example';

function faultOf({ name }: ReceivedQuery): Fault | null {
  const wrong = Object.entries(WRONG).find(([zone]) => name.endsWith(`.${zone}`));
  const later = Object.entries(WRONG_LATER).find(([zone]) => name === `${DOMAIN}.${zone}`);
  return wrong?.[1][0] ?? later?.[1] ?? null;
}

describe('blacklist tests with a DNS that is down, slow or lies', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string };

  beforeAll(async () => {
    lists = await Blacklists.start({ domainLists: [...Object.keys(WRONG), ...Object.keys(WRONG_LATER)] });
    workspace = await lists.platform.seed.workspace();
    mailbox = await lists.mailbox(workspace, DOMAIN, '5.6.7.8');
  });
  afterAll(() => lists.close());
  beforeEach(() => {
    lists.platform.clock.advance(DAY_MS);
    lists.dns.does = () => null;
    lists.dns.queries.length = 0;
  });

  /** Result of each zone for each subject, as `zone: result`. */
  const resultsOf = async (test: BlacklistTest) => {
    const path = `/v1/blacklist-tests/${test._id}/mailboxes/${mailbox._id}`;
    const { checks } = dataOf<{ checks: { zone: string; result: string }[] }>(
      await lists.platform.api.as(workspace.key).get(path),
    );
    return checks.map(({ zone, result }) => `${zone}: ${result}`);
  };
  const selfTests = async () => {
    const zones = dataOf<{ zone: string; selfTest: { outcome: string } | null }[]>(
      await lists.platform.api.as(workspace.key).get('/v1/blacklist-zones'),
    );
    return Object.fromEntries(zones.map(({ zone, selfTest }) => [zone, selfTest?.outcome]));
  };

  it('treats silence, failures, refusals and garbage as no answer, and uses the zones that answer', async () => {
    lists.dns.does = faultOf;
    const test = await lists.test(workspace, mailbox);
    expect(test).toMatchObject({ status: 'completed', overallSummary: { totalChecked: 1, clean: 1, blacklisted: 0 } });
    const wrong = [...Object.keys(WRONG), ...Object.keys(WRONG_LATER)];
    expect((await resultsOf(test)).toSorted()).toEqual(
      [
        ...['bl.test', 'dbl.test', 'gossip.test'].map((zone) => `${zone}: clear`),
        ...wrong.map((zone) => `${zone}: unknown`),
      ].toSorted(),
    );
    expect(await selfTests()).toMatchObject({
      ...Object.fromEntries(Object.entries(WRONG).map(([zone, [, outcome]]) => [zone, outcome])),
      ...Object.fromEntries(Object.keys(WRONG_LATER).map((zone) => [zone, 'works'])),
    });
  });

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
  });

  it.each([
    ['a wildcard that lists every name', { '*.dbl.test': LISTED, '*.gossip.test': LISTED }, 'zone_broken'],
    ['a resolver that answers every name with its own page', { '*.dbl.test': { A: ['1.2.3.4'] } }, 'zone_broken'],
    ['a zone that refuses public resolvers', { '*.dbl.test': { A: ['127.255.255.254'] } }, 'unknown'],
    [
      'a loop of aliases',
      {
        '*.dbl.test': { CNAME: 'a.circle.test' },
        'a.circle.test': { CNAME: 'b.circle.test' },
        'b.circle.test': { CNAME: 'a.circle.test' },
      },
      'unknown',
    ],
  ] as const)('is not taken in by %s', async (_what, table, result) => {
    lists.dns.zone.change(table);
    const test = await lists.test(workspace, mailbox);
    lists.dns.zone.remove(...Object.keys(table));
    expect(await resultsOf(test)).toContain(`dbl.test: ${result}`);
    expect(test.overallSummary).toEqual({ totalChecked: 1, clean: 1, blacklisted: 0 });
    expect(test.results[0]!.listings).toEqual([]);
  });

  it('fails with a reason, and calls no mailbox listed or clean, without a reachable resolver', async () => {
    await lists.dns.close();
    const test = await lists.test(workspace, mailbox);
    expect(test).toMatchObject({
      status: 'failed',
      overallSummary: NOTHING,
      error: { code: 'BLACKLISTS_SILENT' },
      results: [{ verdict: 'unknown', counts: { listed: 0, clear: 0, unknown: 11, zone_broken: 0 } }],
    });
  });
});
