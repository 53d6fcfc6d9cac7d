import { MailboxDeletionService, MailboxDomainRepository } from '@domain/mailboxes';
import { WorkspaceDeletionService } from '@domain/identity';
import { Types } from 'mongoose';
import { HealthFixture, withSpf } from '../testing';
import { DomainEnrolmentService } from './domain-enrolment.service';
import { DomainHealthJobService } from './domain-health-job.service';
import { MailboxHealthQueue } from './mailbox-health.queue';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: HealthFixture;

beforeAll(async () => {
  fixture = await HealthFixture.open();
});
afterAll(() => fixture.engine.close());
beforeEach(() => fixture.fresh());

const clock = () => fixture.engine.clock;
const asked = () => fixture.dns.queries.length;
const asksFor = (domain: string) => fixture.dns.queries.filter(({ name }) => name === domain).length;

describe('a newly connected mailbox', () => {
  it('is scheduled by the next sweep, and shows the result', async () => {
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
    expect(await fixture.healthOf(domain)).toMatchObject({ healthScore: 100, revision: 1, pendingEvents: null });
  });

  it('is not marked as changed by a health check', async () => {
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

  it('shows a result of its domain from the last hour at once, and otherwise schedules a new check', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.work();
    const second = await fixture.engine.mailbox({ email: `late@${domain}` });
    await fixture.engine.get(DomainHealthJobService).sweep();
    expect(await fixture.setupOf(second)).toMatchObject({ healthScore: 100, dkim: 'pass' });
    expect((await fixture.healthOf(domain)).nextCheckAt.getTime()).toBeGreaterThan(clock().now().getTime());
    clock().advance(HOUR + 1);
    const checks = (await fixture.healthOf(domain)).revision;
    await fixture.engine.mailbox({ email: `later@${domain}` });
    await fixture.work();
    expect((await fixture.healthOf(domain)).revision).toBe(checks + 1);
  });

  it('is scheduled together with any number of others, in batches of a few hundred', async () => {
    const domain = fixture.domain();
    const ids = await fixture.manyMailboxes(domain, 1_100);
    await fixture.work();
    const last = await fixture.setupOf(ids.at(-1) ?? '');
    expect(last).toMatchObject({ domain, healthScore: 100 });
    expect((await fixture.healthOf(domain)).revision).toBe(1);
  });

  it('is checked with its domain, separately for each workspace', async () => {
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
  it('without problems is checked once a day', async () => {
    const domain = fixture.domain();
    const plan = jest.spyOn(fixture.engine.get(MailboxHealthQueue), 'plan');
    await fixture.mailboxes(domain);
    await fixture.work();
    const { nextCheckAt } = await fixture.healthOf(domain);
    expect(plan).toHaveBeenLastCalledWith([expect.objectContaining({ nextCheckAt })]);
    plan.mockRestore();
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

  it('has its own time of day', async () => {
    const domains = Array.from({ length: 5 }, () => fixture.domain());
    for (const domain of domains) await fixture.mailboxes(domain);
    await fixture.work();
    const times = await Promise.all(domains.map(async (domain) => (await fixture.healthOf(domain)).nextCheckAt));
    expect(new Set(times.map((time) => time.getTime())).size).toBe(5);
  });

  it('with a failing check is checked again two hours later', async () => {
    const domain = fixture.domain((name) => withSpf(name, 'v=spf1 -all', 'v=spf1 +all'));
    await fixture.mailboxes(domain);
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ statuses: { spf: 'fail' } });
    const inHours = ((await fixture.healthOf(domain)).nextCheckAt.getTime() - clock().now().getTime()) / HOUR;
    expect(inHours).toBeGreaterThanOrEqual(2);
    expect(inHours).toBeLessThan(2.2);
  });

  it('whose name servers do not answer keeps its score, and is checked again within the hour', async () => {
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

  it('is removed with its last mailbox', async () => {
    const domain = fixture.domain();
    const [first = '', second = ''] = await fixture.mailboxes(domain, 2);
    await fixture.work();
    const remove = (id: string) => fixture.engine.get(MailboxDeletionService).delete(fixture.workspace, id, {});
    await remove(first);
    expect(await fixture.healthOf(domain)).toMatchObject({ domain });
    await remove(second);
    await expect(fixture.healthOf(domain)).rejects.toThrow('No document found');
  });

  it('without mailboxes is removed by the next check', async () => {
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

  it('that gets a mailbox during its removal is kept', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.work();
    await fixture.withoutMailbox(mailboxId);
    const [empty, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const mailboxes = fixture.engine.get(MailboxDomainRepository);
    const has = jest.spyOn(mailboxes, 'hasMailbox').mockImplementationOnce(async (...given) => {
      const found = await mailboxes.hasMailbox(...given);
      empty.resolve();
      await taken.promise;
      return found;
    });
    const forgotten = fixture.engine.get(DomainEnrolmentService).forgetIfEmpty(await fixture.healthOf(domain));
    await empty.promise;
    await fixture.engine.mailbox({ email: `new@${domain}` });
    await fixture.engine.get(DomainHealthJobService).sweep();
    taken.resolve();
    expect(await forgotten).toBe(false);
    has.mockRestore();
    expect(await fixture.healthOf(domain)).toMatchObject({ domain });
  });

  it('of a deleted workspace is not checked', async () => {
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

it('is found by indexes: when due, by name and by workspace', async () => {
  const healths = fixture.healths();
  const { workspaceId } = fixture.workspace;
  const ids = Array.from({ length: 30 }, () => new Types.ObjectId());
  const each = [...ids, ...ids].map((id, n) => ({ workspaceId: id, domain: `d${n}.test`, nextCheckAt: clock().now() }));
  await healths.insertMany([...each, { workspaceId, domain: 'd.test', nextCheckAt: clock().now() }]);
  const find = jest.spyOn(healths, 'find');
  await fixture.engine.get(DomainHealthJobService).sweep();
  const due = find.mock.results[0]?.value as ReturnType<typeof healths.find>;
  find.mockRestore();
  expect(due.getOptions()).toMatchObject({ sort: { nextCheckAt: 1, _id: 1 }, limit: 500 });
  expect(JSON.stringify(await due.clone().explain())).toContain('"indexName":"nextCheckAt_1__id_1"');
  const one = await healths.find({ workspaceId, domain: 'd.test' }).explain();
  expect(JSON.stringify(one)).toContain('"indexName":"workspaceId_1_domain_1"');
  const all = await healths.find({ workspaceId }).sort({ createdAt: -1, _id: -1 }).limit(26).explain();
  expect(JSON.stringify(all)).toContain('"indexName":"workspaceId_1_');
});
