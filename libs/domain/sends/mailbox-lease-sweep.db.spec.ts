import { FaultProxy, redisUrl } from '@testing';
import { id, SendsFixture } from './testing/sends-fixture';

const MINUTE = 60_000;
const workspaceId = id();

describe('the sweep', () => {
  let fixture: SendsFixture;

  beforeAll(async () => {
    fixture = await SendsFixture.open();
    await fixture.reachable();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.clock.reset();
    await fixture.leaseRecords.deleteMany({ workspaceId });
    await fixture.queue.obliterate({ force: true });
  });
  const waiting = () => fixture.queue.getJobCountByTypes('waiting');

  it('adds the job of every due mailbox again after Redis was emptied', async () => {
    const due = Array.from({ length: 1_201 }, id); // Three pages.
    await fixture.leases.scheduleNow(workspaceId, due, fixture.clock.in(-MINUTE));
    await fixture.leases.scheduleNow(workspaceId, [id()], fixture.clock.in(MINUTE));
    await fixture.queue.obliterate({ force: true });
    expect(await fixture.leases.sweep()).toBe(1_201);
    const jobs = await fixture.queue.getJobs(['waiting'], 0, 2_000);
    expect(new Set(jobs.map(({ data }) => (data as { partitionId: string }).partitionId))).toEqual(new Set(due));
    expect(await fixture.leases.sweep()).toBe(0);
    expect(await waiting()).toBe(1_201);
  });

  it('ignores mailboxes that have their job, are not due yet or have nothing to do', async () => {
    const [soon, idle] = [id(), id()];
    await fixture.leases.scheduleNow(workspaceId, [id()], fixture.clock.in(-MINUTE));
    await fixture.leases.scheduleNow(workspaceId, [soon], fixture.clock.in(-1_000));
    await fixture.leases.scheduleNow(workspaceId, [idle]);
    const lease = await fixture.leases.acquire(idle);
    await fixture.leases.complete(lease!, null);
    expect(await fixture.leases.sweep()).toBe(0);
  });

  it('waits for the lease of a run, and repeats the run if its worker crashed', async () => {
    const mailboxId = id();
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], fixture.clock.in(MINUTE));
    await fixture.leases.acquire(mailboxId); // Although nothing was due yet.
    fixture.clock.advance(10_000);
    await fixture.queue.obliterate({ force: true });
    expect(await fixture.leases.sweep()).toBe(0);
    await fixture.leaseRecords.updateOne({ _id: mailboxId, workspaceId }, { $set: { leaseUntil: new Date(0) } });
    expect(await fixture.leases.sweep()).toBe(1);
  });

  it('promotes a delayed job that is late by the clock of the machine that scheduled it', async () => {
    await fixture.leases.scheduleNow(workspaceId, [id()], fixture.clock.in(MINUTE));
    expect(await waiting()).toBe(0);
    fixture.clock.advance(2 * MINUTE);
    expect(await fixture.leases.sweep()).toBe(0); // Nothing was missing.
    expect(await waiting()).toBe(1);
  });
});

describe('while Redis is unavailable', () => {
  let proxy: FaultProxy;
  let fixture: SendsFixture;

  beforeEach(async () => {
    proxy = new FaultProxy(redisUrl());
    // Long enough for a reply on a busy machine, and short enough to wait for one that never comes.
    fixture = await SendsFixture.open({ REDIS_URL: await proxy.start(), REDIS_TIMEOUT_MS: '5000' });
    await fixture.reachable();
  });
  afterEach(async () => {
    await proxy.restore();
    await fixture.reachable();
    await fixture.close();
    await proxy.cut();
  });

  it('runs are scheduled all the same, and the sweep adds their jobs once Redis is back', async () => {
    await proxy.cut();
    const mailboxId = id();
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], fixture.clock.in(-MINUTE));
    const lease = await fixture.leases.acquire(mailboxId);
    expect(await fixture.leases.complete(lease!, fixture.clock.in(-MINUTE))).toBe(true);
    await expect(fixture.leases.sweep()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await proxy.restore();
    await fixture.reachable();
    expect(await fixture.leases.sweep()).toBe(1);
  });

  it('jobs that Redis accepted before it went silent are not added again, and the others are', async () => {
    const due = Array.from({ length: 1_000 }, id).toSorted();
    // Redis has the first jobs, but their caller gets no reply.
    const silent = proxy.at(due[0]!, 'silence', { carriedOut: true });
    await fixture.leases.scheduleNow(workspaceId, due, fixture.clock.in(-MINUTE));
    await silent;
    await proxy.restore();
    await fixture.reachable();
    const had = await fixture.queue.getJobCountByTypes('waiting');
    expect(had).toBeLessThan(1_000);
    expect(await fixture.leases.sweep()).toBe(1_000 - had);
    expect(await fixture.queue.getJobCountByTypes('waiting')).toBe(1_000);
  });
});
