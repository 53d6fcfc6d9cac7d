import { TransactionService } from '@platform/database';
import { QueuesService, RedisClient } from '@platform/queues';
import { eventually } from '@testing';
import { type Queue } from 'bullmq';
import { id, WebhooksFixture } from '../testing/webhooks-fixture';

const MINUTE = 60_000;

describe('work partitions of webhooks', () => {
  let fixture: WebhooksFixture;
  let queue: Queue;
  const workspaceId = id();
  let webhookId: string;

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
    queue = fixture.get(QueuesService).get('webhook-work');
    const { client } = fixture.get(RedisClient);
    await eventually('Redis is connected', () => client.status === 'ready');
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.clock.reset();
    webhookId = id().toHexString();
    await fixture.partitionRecords.deleteMany({ workspaceId });
    await queue.obliterate({ force: true });
  });

  const ws = workspaceId.toHexString();
  const schedule = (at: Date, ...ids: string[]) =>
    fixture.partitions.schedule(ws, ids.length > 0 ? ids : [webhookId], at);
  const stored = () => fixture.partitionRecords.findOne({ _id: webhookId, workspaceId }).lean();
  const jobs = () => queue.getJobs(['waiting', 'delayed', 'prioritized']);

  it('are scheduled for the earliest requested time', async () => {
    const [soon, later] = [fixture.clock.in(MINUTE), fixture.clock.in(2 * MINUTE)];
    await schedule(later);
    await schedule(soon);
    await schedule(later);
    expect((await stored())?.nextAt).toEqual(soon);
  });

  it('are leased to one of twenty concurrent callers', async () => {
    await schedule(fixture.clock.now());
    const asked = await Promise.all(Array.from({ length: 20 }, () => fixture.partitions.acquire(webhookId, MINUTE)));
    expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it('are not leased without a scheduled run', async () => {
    expect(await fixture.partitions.acquire(webhookId, MINUTE)).toBeNull();
  });

  it('schedule and enqueue the next run at completion, or none', async () => {
    await schedule(fixture.clock.now());
    const next = fixture.clock.in(MINUTE);
    const lease = await fixture.partitions.acquire(webhookId, MINUTE);
    expect(await fixture.partitions.complete(lease!, next)).toBe(true);
    expect((await stored())?.nextAt).toEqual(next);
    expect(await jobs()).toMatchObject([{ data: { workspaceId: ws, webhookId } }]);
    await fixture.partitions.complete((await fixture.partitions.acquire(webhookId, MINUTE))!, null);
    expect(await stored()).not.toHaveProperty('nextAt');
  });

  it('keep a run that was scheduled during the current one', async () => {
    await schedule(fixture.clock.now());
    const lease = await fixture.partitions.acquire(webhookId, MINUTE);
    const now = fixture.clock.now();
    await schedule(now);
    await fixture.partitions.complete(lease!, null);
    expect((await stored())?.nextAt).toEqual(now);
  });

  it('can be neither renewed nor completed after the lease was lost', async () => {
    await schedule(fixture.clock.now());
    const late = (await fixture.partitions.acquire(webhookId, MINUTE))!;
    await fixture.partitionRecords.updateOne({ _id: webhookId, workspaceId }, { $set: { leaseUntil: new Date(0) } });
    const current = (await fixture.partitions.acquire(webhookId, MINUTE))!;
    expect(current.fence).toBe(late.fence + 1);
    expect(await fixture.partitions.renew(late, MINUTE)).toBe(false);
    expect(await fixture.partitions.complete(late, null)).toBe(false);
    expect(await fixture.partitions.renew(current, MINUTE)).toBe(true);
  });

  it('get missing jobs again after Redis was emptied, except while they are leased', async () => {
    const due = Array.from({ length: 600 }, () => id().toHexString()); // two pages
    await schedule(fixture.clock.in(-MINUTE), ...due);
    await schedule(fixture.clock.in(MINUTE), id().toHexString());
    await fixture.partitions.acquire(due[0]!, MINUTE);
    expect(await fixture.partitions.sweep()).toBe(599);
    expect(await fixture.partitions.sweep()).toBe(0);
    await fixture.partitionRecords.updateOne({ _id: due[0], workspaceId }, { $set: { leaseUntil: new Date(0) } });
    expect(await fixture.partitions.sweep()).toBe(1);
  });

  it('are not enqueued inside a transaction', async () => {
    const enqueued = fixture.get(TransactionService).run(() => fixture.partitions.enqueue(ws, [webhookId]));
    await expect(enqueued).rejects.toThrow('inside a transaction');
  });
});
