import { TransactionService } from '@platform/database';
import { QueuesService, RedisClient } from '@platform/queues';
import { eventually } from '@testing';
import { type Queue } from 'bullmq';
import { id, WebhooksFixture } from '../testing/webhooks-fixture';

const MINUTE = 60_000;

describe('the lanes of webhooks', () => {
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
    await fixture.laneRecords.deleteMany({ workspaceId });
    await queue.obliterate({ force: true });
  });

  const ws = workspaceId.toHexString();
  const plant = (at: Date, ...ids: string[]) => fixture.partitions.schedule(ws, ids.length > 0 ? ids : [webhookId], at);
  const stored = () => fixture.laneRecords.findOne({ _id: webhookId, workspaceId }).lean();
  const jobs = () => queue.getJobs(['waiting', 'delayed', 'prioritized']);

  it('are planned for the earliest moment that somebody wants', async () => {
    const [soon, later] = [fixture.clock.in(MINUTE), fixture.clock.in(2 * MINUTE)];
    await plant(later);
    await plant(soon);
    await plant(later);
    expect((await stored())?.nextAt).toEqual(soon);
  });

  it('are given to one of twenty who ask at once', async () => {
    await plant(fixture.clock.now());
    const asked = await Promise.all(Array.from({ length: 20 }, () => fixture.partitions.acquire(webhookId, MINUTE)));
    expect(asked.filter((lane) => lane !== null)).toHaveLength(1);
  });

  it('are not given for a webhook that nothing was planned for', async () => {
    expect(await fixture.partitions.acquire(webhookId, MINUTE)).toBeNull();
  });

  it('end with the next turn planned and announced, or none', async () => {
    await plant(fixture.clock.now());
    const next = fixture.clock.in(MINUTE);
    const lane = await fixture.partitions.acquire(webhookId, MINUTE);
    expect(await fixture.partitions.complete(lane!, next)).toBe(true);
    expect((await stored())?.nextAt).toEqual(next);
    expect(await jobs()).toMatchObject([{ data: { workspaceId: ws, webhookId } }]);
    await fixture.partitions.complete((await fixture.partitions.acquire(webhookId, MINUTE))!, null);
    expect(await stored()).not.toHaveProperty('nextAt');
  });

  it('do not lose what was planned during a turn', async () => {
    await plant(fixture.clock.now());
    const lane = await fixture.partitions.acquire(webhookId, MINUTE);
    const now = fixture.clock.now();
    await plant(now);
    await fixture.partitions.complete(lane!, null);
    expect((await stored())?.nextAt).toEqual(now);
  });

  it('that were lost can be neither held nor ended', async () => {
    await plant(fixture.clock.now());
    const late = (await fixture.partitions.acquire(webhookId, MINUTE))!;
    await fixture.laneRecords.updateOne({ _id: webhookId, workspaceId }, { $set: { leaseUntil: new Date(0) } });
    const current = (await fixture.partitions.acquire(webhookId, MINUTE))!;
    expect(current.fence).toBe(late.fence + 1);
    expect(await fixture.partitions.renew(late, MINUTE)).toBe(false);
    expect(await fixture.partitions.complete(late, null)).toBe(false);
    expect(await fixture.partitions.renew(current, MINUTE)).toBe(true);
  });

  it('get their jobs again when Redis was emptied, but not while somebody holds them', async () => {
    const due = Array.from({ length: 600 }, () => id().toHexString()); // two pages
    await plant(fixture.clock.in(-MINUTE), ...due);
    await plant(fixture.clock.in(MINUTE), id().toHexString());
    await fixture.partitions.acquire(due[0]!, MINUTE);
    expect(await fixture.partitions.sweep()).toBe(599);
    expect(await fixture.partitions.sweep()).toBe(0);
    await fixture.laneRecords.updateOne({ _id: due[0], workspaceId }, { $set: { leaseUntil: new Date(0) } });
    expect(await fixture.partitions.sweep()).toBe(1);
  });

  it('are not announced inside a transaction', async () => {
    const announced = fixture.get(TransactionService).run(() => fixture.partitions.enqueue(ws, [webhookId]));
    await expect(announced).rejects.toThrow('inside a transaction');
  });
});
