import { expectFormA, expectFormB, type SeededWorkspace } from '../harness';
import { auditedActions, dataOf, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { DomainsFixture } from './domains';

interface Finding {
  status: string;
  problems: { code: string; severity: string; message: string }[];
}

interface Report extends Record<'mx' | 'spf' | 'dkim' | 'dmarc' | 'mtaSts' | 'tlsRpt', Finding> {
  checkedAt: string;
  healthScore: number | null;
  dkimSelector: string | null;
  [field: string]: unknown;
}

let fixture: DomainsFixture;
let workspace: SeededWorkspace;
let domain: string;
let mailbox: { _id: string; email: string };

beforeAll(async () => {
  fixture = await DomainsFixture.start();
  workspace = await fixture.platform.seed.workspace();
});
beforeEach(async () => {
  domain = fixture.domain();
  mailbox = await fixture.mailbox(workspace, domain);
});
afterAll(() => fixture.close());

const path = (id = mailbox._id) => `/v1/mailboxes/${id}/health`;
const check = (body: object = {}, id = mailbox._id, key = workspace.key) =>
  fixture.platform.api
    .as(key)
    .post(`${path(id)}/check`)
    .send(body);
const report = (id = mailbox._id, key = workspace.key) => fixture.platform.api.as(key).get(`${path(id)}/report`);
const later = () => fixture.platform.clock.advance(10_001);

describe('POST /v1/mailboxes/:mailboxId/health/check', () => {
  it('answers all findings, field by field', async () => {
    const read = dataOf<Report>(await check());
    expect(read).toEqual({
      mailboxId: mailbox._id,
      email: mailbox.email,
      domain,
      checkedAt: ISO,
      nextCheckAt: ISO,
      healthScore: 100,
      dkimSelector: null,
      mx: { status: 'pass', problems: [], records: [{ exchange: `mx.${domain}`, priority: 10 }] },
      spf: {
        status: 'pass',
        problems: [],
        record: 'v=spf1 ip4:192.0.2.1 -all',
        lookups: { used: 0, limit: 10, terms: [] },
        voids: { used: 0, limit: 2 },
      },
      dkim: {
        status: 'pass',
        problems: [],
        selector: 'google',
        source: 'known',
        record: expect.stringContaining('v=DKIM1') as string,
        key: { type: 'rsa', bits: 2048 },
      },
      dmarc: {
        status: 'pass',
        problems: [],
        record: `v=DMARC1; p=reject; rua=mailto:dmarc@${domain}`,
        foundAt: domain,
        policy: { requested: 'reject', effective: 'reject', testing: false },
      },
      mtaSts: { status: 'absent', record: null, problems: [expect.objectContaining({ severity: 'info' })] },
      tlsRpt: { status: 'absent', record: null, problems: [expect.objectContaining({ severity: 'info' })] },
    });
  });

  it('shows the cost of each SPF look-up, and what to change when there are too many', async () => {
    const names = Array.from({ length: 11 }, (_, n) => `i${n}.${domain}`);
    fixture.dns.zone.change(Object.fromEntries(names.map((name) => [name, { TXT: ['v=spf1 ip4:192.0.2.7 -all'] }])));
    fixture.spf(domain, `v=spf1 ${names.map((name) => `include:${name}`).join(' ')} -all`);
    const { spf } = dataOf<Report & { spf: { lookups: { used: number; terms: object[] } } }>(await check());
    expect(spf.status).toBe('fail');
    expect(spf.lookups.used).toBeGreaterThan(10);
    expect(spf.lookups.terms[0]).toEqual({ term: `include:i0.${domain}`, domain, depth: 0, lookups: 1 });
    expect(spf.problems.filter(({ severity }) => severity === 'fail')).toHaveLength(1);
  });

  it('reads a changed record at once, past its own cache and the platform’s cache', async () => {
    expect(dataOf<Report>(await check()).spf.status).toBe('pass');
    fixture.spf(domain, 'v=spf1 +all');
    later();
    expect(dataOf<Report>(await check()).spf.status).toBe('fail');
  });

  it('repeats a result of the last ten seconds, also for another mailbox of the domain', async () => {
    const second = await fixture.mailbox(workspace, domain, 'bob');
    fixture.platform.clock.freeze(fixture.platform.clock.now());
    const first = dataOf<Report>(await check());
    const asked = fixture.dns.queries.length;
    fixture.platform.clock.advance(9_000);
    expect(dataOf<Report>(await check({}, second._id))).toMatchObject({ checkedAt: first.checkedAt, healthScore: 100 });
    expect(fixture.dns.queries).toHaveLength(asked);
    later();
    expect(dataOf<Report>(await check()).checkedAt).not.toBe(first.checkedAt);
  });

  it('stores a DKIM selector for the domain, and checks it at once', async () => {
    const { selector, status } = dataOf<Report & { dkim: { selector: string } }>(await check()).dkim as never;
    expect([selector, status]).toEqual(['google', 'pass']);
    const given = dataOf<Report>(await check({ dkimSelector: 'Own.2026' }));
    expect(given).toMatchObject({
      dkimSelector: 'own.2026',
      dkim: { selector: 'own.2026', source: 'configured', status: 'fail', problems: [{ code: 'key_not_found' }] },
    });
    expect(await auditedActions(fixture.platform, workspace)).toContain('mailbox.updated');
    later();
    expect(dataOf<Report>(await check())).toMatchObject({ dkimSelector: 'own.2026' });
    expect(dataOf<Report>(await check({ dkimSelector: null }))).toMatchObject({
      dkimSelector: null,
      dkim: { selector: 'google', status: 'pass' },
    });
  });

  it('refuses an invalid selector and any other field', async () => {
    for (const dkimSelector of ['', ' ', 'a b', 'a..b', '-', 'x'.repeat(129), 7, {}]) {
      const { status } = await check({ dkimSelector });
      expect({ dkimSelector, status }).toEqual({ dkimSelector, status: 400 });
    }
    expectFormB(await check({ dkimSelector: 'a b' }), 400, 'VALIDATION_ERROR', 'dkimSelector');
    expectFormB(await check({ domain: 'example.org' }), 400, 'VALIDATION_ERROR', 'domain');
  });

  it.each(['servfail', 'refused'] as const)(
    'finds nothing when the name servers answer %s, and keeps the score',
    async (fault) => {
      const before = dataOf<Report>(await check());
      fixture.dns.does = ({ name }) => (name.endsWith(domain) ? fault : null);
      later();
      const read = dataOf<Report>(await check());
      fixture.dns.does = () => null;
      const { mx, spf, dkim, dmarc, healthScore } = read;
      expect([mx, spf, dkim, dmarc].map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
      expect(healthScore).toBe(before.healthScore);
    },
  );

  it('requires a key that may write', async () => {
    const key = await fixture.platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await check({}, mailbox._id, key), 403);
  });

  it('answers 404 to an unknown id and a malformed one', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await check({}, id), 404, 'NOT_FOUND');
  });

  it('answers 404 to another workspace’s mailbox, and asks no name server for it', async () => {
    const other = await fixture.platform.seed.workspace();
    expectFormB(await check({}, mailbox._id, other.key), 404, 'NOT_FOUND');
    expect(fixture.asked(domain)).toBe(0);
  });
});

describe('GET /v1/mailboxes/:mailboxId/health/report', () => {
  it('reports that no check has run yet', async () => {
    expect(dataOf<Report>(await report())).toMatchObject({
      domain,
      checkedAt: null,
      nextCheckAt: null,
      healthScore: null,
      mx: { status: 'unknown', records: [] },
      spf: { status: 'unknown', record: null, lookups: { used: 0, limit: 10, terms: [] } },
      dkim: { status: 'unknown', key: null },
      dmarc: { status: 'unknown', policy: null },
      mtaSts: { status: 'unknown', record: null, problems: [] },
    });
  });

  it('repeats the result of the last check for every mailbox of the domain, without a new look-up', async () => {
    const second = await fixture.mailbox(workspace, domain, 'bob');
    const checked = dataOf<Report>(await check());
    const asked = fixture.dns.queries.length;
    expect(dataOf<Report>(await report())).toEqual(checked);
    expect(dataOf<Report>(await report(second._id))).toMatchObject({ email: second.email, spf: checked.spf });
    expect(fixture.dns.queries).toHaveLength(asked);
  });

  it('answers 404 to an unknown id and a malformed one', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await report(id), 404, 'NOT_FOUND');
  });
});
