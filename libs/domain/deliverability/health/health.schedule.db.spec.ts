import { MailboxDeletionService } from '@domain/mailboxes';
import { WorkspaceDeletionService } from '@domain/workspaces';
import { Types } from 'mongoose';
import { HealthFixture, withSpf } from '../testing';
import { HealthExaminations } from './health.examinations.service';
import { HealthOutcomes } from './health.outcomes.service';
import { HealthRuns } from './health.runs.service';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: HealthFixture;

beforeAll(async () => {
  fixture = await HealthFixture.open();
});
afterAll(() => fixture.engine.close());
beforeEach(async () => {
  await fixture.engine.fresh();
  await fixture.healths().deleteMany({}).setOptions({ allWorkspaces: 'a test' });
  fixture.dns.pace = undefined;
});

const clock = () => fixture.engine.clock;
const asked = () => fixture.dns.queries.length;
const asksFor = (domain: string) => fixture.dns.queries.filter(({ name }) => name === domain).length;

describe('a mailbox that was connected', () => {
  it('is looked after by the next sweep, and shows what was found', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ domain: null, mx: 'unknown', healthScore: 0 });
    await fixture.work();
    expect(await fixture.setupOf(mailboxId)).toEqual({
      domain,
      healthScore: 100,
      mx: 'pass',
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
    });
    expect(await fixture.healthOf(domain)).toMatchObject({ healthScore: 100, revision: 1, untold: null });
  });

  it('does not count as changed by that', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    const read = () => fixture.mailboxOf(mailboxId);
    const { updatedAt } = await read();
    clock().advance(HOUR);
    await fixture.work();
    expect((await read()).updatedAt).toEqual(updatedAt);
  });

  it('shares one check with the others of its domain', async () => {
    const domain = fixture.domain();
    const ids = await fixture.mailboxes(domain, 4);
    await fixture.work();
    expect(asksFor(`google._domainkey.${domain}`)).toBe(1);
    for (const id of ids) expect(await fixture.setupOf(id)).toMatchObject({ domain, healthScore: 100 });
  });

  it('shows at once what was found of its domain within the hour, and has it checked anew otherwise', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.work();
    const second = await fixture.engine.mailbox({ email: `late@${domain}` });
    await fixture.engine.get(HealthRuns).sweep();
    expect(await fixture.setupOf(second)).toMatchObject({ healthScore: 100, dkim: 'pass' });
    expect((await fixture.healthOf(domain)).nextCheckAt.getTime()).toBeGreaterThan(clock().now().getTime());
    clock().advance(HOUR + 1);
    const checks = (await fixture.healthOf(domain)).revision;
    await fixture.engine.mailbox({ email: `later@${domain}` });
    await fixture.work();
    expect((await fixture.healthOf(domain)).revision).toBe(checks + 1);
  });

  it('is taken in with any number of others, a few hundred at a time', async () => {
    const domain = fixture.domain();
    const ids = await fixture.manyMailboxes(domain, 1_100);
    await fixture.work();
    const last = await fixture.setupOf(ids.at(-1) ?? '');
    expect(last).toMatchObject({ domain, healthScore: 100 });
    expect((await fixture.healthOf(domain)).revision).toBe(1);
  });

  it('is looked after as one of its domain’s, another workspace’s apart', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    const first = fixture.workspace;
    await fixture.work();
    clock().advance(1);
    await fixture.engine.fresh();
    await fixture.mailboxes(domain);
    await fixture.work();
    expect(String((await fixture.healthOf(domain)).workspaceId)).not.toBe(first.workspaceId);
  });
});

describe('a domain', () => {
  it('that has nothing to mend is checked once a day', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.work();
    const { nextCheckAt } = await fixture.healthOf(domain);
    expect(nextCheckAt.getTime() - clock().now().getTime()).toBeLessThanOrEqual(25 * HOUR);
    clock().freeze(new Date(nextCheckAt.getTime() - 10_000));
    await fixture.work();
    expect((await fixture.healthOf(domain)).revision).toBe(1);
    clock().advance(10_000);
    await fixture.work();
    const next = await fixture.healthOf(domain);
    expect(next.revision).toBe(2);
    expect(next.nextCheckAt.getTime() - nextCheckAt.getTime()).toBe(DAY);
  });

  it('of which something fails is checked again two hours later', async () => {
    const domain = fixture.domain((name) => withSpf(name, 'v=spf1 -all', 'v=spf1 +all'));
    await fixture.mailboxes(domain);
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ statuses: { spf: 'fail' } });
    const inHours = ((await fixture.healthOf(domain)).nextCheckAt.getTime() - clock().now().getTime()) / HOUR;
    expect(inHours).toBeGreaterThanOrEqual(2);
    expect(inHours).toBeLessThan(2.2);
  });

  it('whose name servers do not answer keeps its score, and is asked for again within the hour', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.work();
    const { nextCheckAt } = await fixture.healthOf(domain);
    fixture.silence(domain);
    clock().freeze(nextCheckAt);
    await fixture.work();
    const health = await fixture.healthOf(domain);
    expect(health).toMatchObject({ revision: 2, healthScore: 100, settled: { mx: 'pass', spf: 'pass' } });
    expect(health.statuses).toEqual({ mx: 'unknown', spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' });
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ healthScore: 100, spf: 'unknown' });
    expect(health.nextCheckAt.getTime() - nextCheckAt.getTime()).toBeLessThan(1.2 * HOUR);
  });

  it('is let go of with its last mailbox', async () => {
    const domain = fixture.domain();
    const [first = '', second = ''] = await fixture.mailboxes(domain, 2);
    await fixture.work();
    const remove = (id: string) => fixture.engine.get(MailboxDeletionService).delete(fixture.workspace, id, {});
    await remove(first);
    expect(await fixture.healthOf(domain)).toMatchObject({ domain });
    await remove(second);
    await expect(fixture.healthOf(domain)).rejects.toThrow('No document found');
  });

  it('that lost its mailboxes all the same is let go of by the next check', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.work();
    await fixture.withoutMailbox(mailboxId);
    clock().freeze((await fixture.healthOf(domain)).nextCheckAt);
    const before = asked();
    await fixture.work();
    expect(asked()).toBe(before);
    await expect(fixture.healthOf(domain)).rejects.toThrow('No document found');
  });

  it('of a deleted workspace is not asked for', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(WorkspaceDeletionService).delete(fixture.workspace);
    await fixture.work();
    expect(asksFor(domain)).toBe(0);
    const health = await fixture.healthOf(domain);
    expect(health.checkedAt).toBeNull();
    expect(health.nextCheckAt.getTime()).toBeGreaterThan(clock().now().getTime());
  });
});

describe('a check', () => {
  it('is made once when two workers have its job', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(HealthRuns).sweep();
    const health = await fixture.healthOf(domain);
    await Promise.all([fixture.run(health), fixture.run(health), fixture.run(health)]);
    expect(asksFor(`google._domainkey.${domain}`)).toBe(1);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1 });
    expect(await fixture.entriesOf(domain)).toHaveLength(1);
  });

  it('is not made by whoever had read that it is due before somebody else made it', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(HealthRuns).sweep();
    const due = await fixture.healthOf(domain);
    await fixture.run(due);
    const before = asked();
    await fixture.engine.get(HealthExaminations).byScheduleOf(due, new AbortController().signal);
    expect(asked()).toBe(before);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1 });
  });

  it('that died is made again a few minutes later', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(HealthRuns).sweep();
    fixture.dns.pace = () => Promise.reject(new Error('killed'));
    await expect(fixture.run(await fixture.healthOf(domain))).rejects.toThrow('killed');
    fixture.dns.pace = undefined;
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 0 });
    clock().advance(5 * 60_000);
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, healthScore: 100 });
  });

  it('that died before its mailboxes were told is told first, and not made again', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.engine.get(HealthRuns).sweep();
    const tell = jest.spyOn(fixture.engine.get(HealthOutcomes), 'tell').mockRejectedValueOnce(new Error('killed'));
    await expect(fixture.run(await fixture.healthOf(domain))).rejects.toThrow('killed');
    tell.mockRestore();
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ mx: 'unknown' });
    const before = asked();
    clock().advance(5 * 60_000);
    await fixture.work();
    expect(asked()).toBe(before);
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ mx: 'pass', healthScore: 100 });
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, untold: null });
  });

  it('by schedule takes what is known of DNS, one on demand asks anew', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.work();
    expect(fixture.dns.queries.some(({ fresh }) => fresh)).toBe(false);
    clock().advance(HOUR);
    const health = await fixture.healthOf(domain);
    await fixture.engine.get(HealthExaminations).onDemand(health, { anew: false });
    expect(fixture.dns.queries.some(({ fresh }) => fresh)).toBe(true);
    fixture.dns.queries.length = 0;
  });

  it('that somebody asks for takes the place of the one that a worker is at', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(HealthRuns).sweep();
    const health = await fixture.healthOf(domain);
    let goOn = () => {};
    const gate = new Promise<void>((done) => (goOn = done));
    fixture.dns.pace = ({ fresh }) => (fresh ? Promise.resolve() : gate);
    const slow = fixture.run(health);
    while (asksFor(domain) === 0) await new Promise(setImmediate);
    fixture.dns.zone.change(withSpf(domain, 'v=spf1 include:nowhere.test -all'));
    const found = await fixture.engine.get(HealthExaminations).onDemand(health, { anew: false });
    expect(found).toMatchObject({ revision: 1, statuses: { spf: 'fail' } });
    goOn();
    await slow;
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, statuses: { spf: 'fail' } });
  });

  it('that several ask for at the same time is made once', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(HealthRuns).sweep();
    const health = await fixture.healthOf(domain);
    const ask = () => fixture.engine.get(HealthExaminations).onDemand(health, { anew: false });
    const all = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(all.map((one) => one?.revision)).toEqual([1, 1, 1, 1]);
    expect(asksFor(`google._domainkey.${domain}`)).toBe(1);
  });

  it('is stored in a bounded size, whatever the domain publishes', async () => {
    const domain = fixture.domain((name) => withSpf(name, `v=spf1 ${'ip4:192.0.2.1 '.repeat(5_000)}\0-all`));
    await fixture.mailboxes(domain);
    await fixture.work();
    const { report } = await fixture.healthOf(domain);
    expect(report).not.toBeNull();
    expect(JSON.stringify(report).length).toBeLessThan(60_000);
  });
});

it('finds what is due, a domain, and the domains of a workspace by indexes', async () => {
  const healths = fixture.healths();
  const { workspaceId } = fixture.workspace;
  const ids = Array.from({ length: 30 }, () => new Types.ObjectId());
  const each = [...ids, ...ids].map((id, n) => ({ workspaceId: id, domain: `d${n}.test`, nextCheckAt: clock().now() }));
  await healths.insertMany([...each, { workspaceId, domain: 'd.test', nextCheckAt: clock().now() }]);
  const due = await healths
    .find({ nextCheckAt: { $lte: clock().now() } })
    .setOptions({ allWorkspaces: 'a test' })
    .sort({ nextCheckAt: 1, _id: 1 })
    .limit(10)
    .explain();
  expect(JSON.stringify(due)).toContain('"indexName":"nextCheckAt_1__id_1"');
  const one = await healths.find({ workspaceId, domain: 'd.test' }).explain();
  expect(JSON.stringify(one)).toContain('"indexName":"workspaceId_1_domain_1"');
  const all = await healths.find({ workspaceId }).sort({ createdAt: -1, _id: -1 }).limit(26).explain();
  expect(JSON.stringify(all)).toContain('"indexName":"workspaceId_1_');
});
