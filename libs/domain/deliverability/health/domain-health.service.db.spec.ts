import { MailboxDomainRepository } from '@domain/mailboxes';
import { HealthFixture, withSpf } from '../testing';
import { DkimSelectorsService } from './dkim-selectors.service';
import { DomainHealthJobService } from './domain-health-job.service';
import { DomainHealthService } from './domain-health.service';
import { UNCHECKED } from './health-report';

const HOUR = 3_600_000;

let fixture: HealthFixture;

beforeAll(async () => {
  fixture = await HealthFixture.open();
});
afterAll(() => fixture.engine.close());
beforeEach(() => fixture.fresh());

const clock = () => fixture.engine.clock;
const asked = () => fixture.dns.queries.length;
const asksFor = (domain: string) => fixture.dns.queries.filter(({ name }) => name === domain).length;

describe('a check', () => {
  it('runs once when two workers have its job', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const health = await fixture.healthOf(domain);
    await Promise.all([fixture.run(health), fixture.run(health), fixture.run(health)]);
    expect(asksFor(`google._domainkey.${domain}`)).toBe(1);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1 });
    expect(await fixture.entriesOf(domain)).toHaveLength(1);
  });

  it('does not run on a worker with an outdated record after another worker has run it', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const due = await fixture.healthOf(domain);
    await fixture.run(due);
    const before = asked();
    await fixture.engine.get(DomainHealthService).examineDue(due, new AbortController().signal);
    expect(asked()).toBe(before);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1 });
  });

  it('does not run before its due time, except for a tolerance for clock skew', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.work();
    const health = await fixture.healthOf(domain);
    clock().freeze(new Date(health.nextCheckAt.getTime() - 5_001));
    await fixture.run(health);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1 });
    clock().advance(1);
    await fixture.run(health);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 2 });
  });

  it('that crashed is repeated a few minutes later', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    fixture.dns.delays = () => Promise.reject(new Error('killed'));
    await expect(fixture.run(await fixture.healthOf(domain))).rejects.toThrow('killed');
    fixture.dns.delays = undefined;
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 0 });
    clock().advance(5 * 60_000);
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, healthScore: 100 });
  });

  it('that crashed before it notified its mailboxes repeats only the notification', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const tell = jest
      .spyOn(fixture.engine.get(DomainHealthService), 'notifyMailboxes')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(fixture.run(await fixture.healthOf(domain))).rejects.toThrow('killed');
    tell.mockRestore();
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ mx: 'unknown' });
    const before = asked();
    clock().advance(5 * 60_000);
    await fixture.work();
    expect(asked()).toBe(before);
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ mx: 'pass', healthScore: 100 });
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, pendingEvents: null });
  });

  it('uses the DNS cache on schedule, and bypasses it on demand', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.work();
    expect(fixture.dns.queries.some(({ fresh }) => fresh)).toBe(false);
    clock().advance(HOUR);
    const health = await fixture.healthOf(domain);
    await fixture.engine.get(DomainHealthService).examineNow(health, { force: false });
    expect(fixture.dns.queries.some(({ fresh }) => fresh)).toBe(true);
    fixture.dns.queries.length = 0;
  });

  it('on demand supersedes a running one of a worker', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const health = await fixture.healthOf(domain);
    let goOn = () => {};
    const gate = new Promise<void>((done) => (goOn = done));
    fixture.dns.delays = ({ fresh }) => (fresh ? Promise.resolve() : gate);
    const slow = fixture.run(health);
    while (asksFor(domain) === 0) await new Promise(setImmediate);
    fixture.dns.zone.change(withSpf(domain, 'v=spf1 include:nowhere.test -all'));
    const found = await fixture.engine.get(DomainHealthService).examineNow(health, { force: false });
    expect(found).toMatchObject({ revision: 1, statuses: { spf: 'fail' } });
    goOn();
    await slow;
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, statuses: { spf: 'fail' } });
  });

  it('runs once for several concurrent requests', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const health = await fixture.healthOf(domain);
    const ask = () => fixture.engine.get(DomainHealthService).examineNow(health, { force: false });
    const all = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(all.map((one) => one?.revision)).toEqual([1, 1, 1, 1]);
    expect(asksFor(`google._domainkey.${domain}`)).toBe(1);
  });

  it('is not repeated while the notifications of a result are pending', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const tell = jest
      .spyOn(fixture.engine.get(DomainHealthService), 'notifyMailboxes')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(fixture.run(await fixture.healthOf(domain))).rejects.toThrow('killed');
    const before = asked();
    clock().advance(11_000);
    // Simulates another process that stores a result between each notification and the claim.
    tell.mockImplementation((health) => Promise.resolve(health));
    const pendingEvents = await fixture.healthOf(domain);
    expect(await fixture.engine.get(DomainHealthService).examineNow(pendingEvents, { force: false })).toEqual(
      pendingEvents,
    );
    tell.mockRestore();
    expect(asked()).toBe(before);
  });

  it('is stored once, and only a caller with the latest revision completes its notifications', async () => {
    const domain = fixture.domain();
    await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const claimed = await fixture.healthOf(domain);
    const outcomes = fixture.engine.get(DomainHealthService);
    const tell = jest.spyOn(outcomes, 'notifyMailboxes').mockRejectedValueOnce(new Error('killed'));
    await expect(outcomes.applyReport(claimed, UNCHECKED)).rejects.toThrow('killed');
    tell.mockRestore();
    expect(await outcomes.applyReport(claimed, UNCHECKED)).toMatchObject({ isStored: false });
    const stored = await fixture.healthOf(domain);
    await outcomes.notifyMailboxes(Object.assign(await fixture.healthOf(domain), { revision: 0 }));
    expect((await fixture.healthOf(domain)).pendingEvents).not.toBeNull();
    await outcomes.notifyMailboxes(stored);
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, pendingEvents: null });
  });

  it('that is superseded while it notifies its mailboxes leaves them with the later result', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const health = await fixture.healthOf(domain);
    const mailboxes = fixture.engine.get(MailboxDomainRepository);
    const write = jest.spyOn(mailboxes, 'writeFindings').mockImplementationOnce(async (...given) => {
      fixture.dns.zone.change(withSpf(domain, 'v=spf1 include:nowhere.test -all'));
      clock().advance(11_000);
      const later = await fixture.engine.get(DomainHealthService).examineNow(health, { force: false });
      expect(later).toMatchObject({ revision: 2, statuses: { spf: 'fail' } });
      await mailboxes.writeFindings(...given);
    });
    await fixture.run(health);
    write.mockRestore();
    expect(await fixture.setupOf(mailboxId)).toMatchObject({ spf: 'fail', healthScore: 70 });
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 2, pendingEvents: null });
  });

  it('on demand returns its result even when another check supersedes it', async () => {
    const domain = fixture.domain();
    const [mailboxId = ''] = await fixture.mailboxes(domain);
    await fixture.engine.get(DomainHealthJobService).sweep();
    const health = await fixture.healthOf(domain);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    fixture.dns.delays = ({ name }) => {
      if (!name.startsWith('given.')) return first.promise;
      first.resolve();
      return second.promise;
    };
    const overtaken = fixture.engine.get(DomainHealthService).examineNow(health, { force: false });
    while (asksFor(domain) === 0) await new Promise(setImmediate);
    clock().advance(1);
    await fixture.engine.get(DkimSelectorsService).setSelector(fixture.workspace, mailboxId, health, 'given');
    const later = fixture.engine.get(DomainHealthService).examineNow(health, { force: true });
    expect(await overtaken).toMatchObject({ checkedAt: clock().now(), statuses: { spf: 'pass', dkim: 'pass' } });
    second.resolve();
    expect(await later).toMatchObject({ revision: 1, statuses: { spf: 'pass', dkim: 'fail' } });
    expect(await fixture.healthOf(domain)).toMatchObject({ revision: 1, statuses: { dkim: 'fail' } });
  });

  it('is stored in a limited size for any records of the domain', async () => {
    const domain = fixture.domain((name) => withSpf(name, `v=spf1 ${'ip4:192.0.2.1 '.repeat(5_000)}\0-all`));
    await fixture.mailboxes(domain);
    await fixture.work();
    const { report } = await fixture.healthOf(domain);
    expect(report).not.toBeNull();
    expect(JSON.stringify(report).length).toBeLessThan(60_000);
  });
});
