import { type WorkspaceScope } from '@domain/access';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { addresses, EnrichmentFixture } from '../testing/enrichment-fixture';
import { decisive, unknown } from '../testing/scripted-work';
import { EnrichmentItemRepository } from './enrichment-item.repository';
import { EnrichmentItemsService } from './enrichment-items.service';
import { MAX_ATTEMPTS, MAX_CLAIMS } from './outcome-decision';

const MINUTE_MS = 60_000;

describe('the enrichment worker', () => {
  let fixture: EnrichmentFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await EnrichmentFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
  });

  const items = () => fixture.model<EnrichmentItemRecord>(EnrichmentItemRecord);
  const workspaceOf = () => ({ workspaceId: workspace.workspaceId });
  const results = async () => (await fixture.items(workspace)).map(({ result }) => result);

  it('takes a job from pending through processing to completed, and charges decisive answers', async () => {
    const { id } = await fixture.create(workspace, addresses(12));
    expect(await fixture.read(workspace, id)).toMatchObject({ status: 'pending', startedAt: null, completedAt: null });
    const seen: string[] = [];
    fixture.work.does = async ({ email }) => {
      const { status, startedAt, completedAt } = await fixture.read(workspace, id);
      seen.push(`${status} ${startedAt !== null} ${completedAt !== null}`);
      if (email === 'person-3@example.com') return unknown();
      return email === 'person-7@example.com' ? { kind: 'failed', reason: 'broken' } : decisive();
    };
    await fixture.run(workspace);
    expect(new Set(seen)).toEqual(new Set(['processing true false']));
    expect(await fixture.read(workspace, id)).toMatchObject({
      status: 'completed',
      metadata: { totalItems: 12, processedItems: 12, successCount: 11, failedCount: 1, creditsUsed: 10 },
      startedAt: expect.any(String) as unknown,
      completedAt: expect.any(String) as unknown,
    });
    expect(await fixture.credits(workspace)).toEqual({ balance: 990, reserved: 0 });
    expect((await fixture.completions(workspace)).map(({ data }) => data)).toEqual([
      { jobId: id, type: 'email_verification', totalItems: 12, successCount: 11, failedCount: 1, creditsUsed: 10 },
    ]);
  });

  it('shows the progress of a job while it is processing', async () => {
    const { id } = await fixture.create(workspace, addresses(10));
    const figures: number[] = [];
    fixture.work.does = async () => {
      figures.push((await fixture.read(workspace, id)).metadata.creditsUsed);
      return decisive();
    };
    await fixture.run(workspace);
    expect(figures.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 5, 5, 5, 5, 5]);
  });

  it('shares a job among workers: each item is processed by exactly one', async () => {
    const { id } = await fixture.create(workspace, addresses(100));
    await fixture.runAll(workspace);
    await fixture.runAll(workspace);
    expect(fixture.work.asked).toHaveLength(100);
    expect(new Set(fixture.work.asked.map(({ email }) => email)).size).toBe(100);
    expect(await fixture.read(workspace, id)).toMatchObject({
      status: 'completed',
      metadata: { processedItems: 100, successCount: 100, creditsUsed: 100 },
    });
    expect(await fixture.credits(workspace)).toEqual({ balance: 900, reserved: 0 });
    expect(await fixture.completions(workspace)).toHaveLength(1);
  });

  it('alternates between the jobs of a workspace: a small job does not wait for a large one', async () => {
    const many = await fixture.create(workspace, addresses(40, 'many.example'));
    const few = await fixture.create(workspace, addresses(5, 'few.example'));
    const before: number[] = [];
    fixture.work.does = async ({ email }) => {
      if (email.endsWith('few.example')) before.push((await fixture.read(workspace, many.id)).metadata.processedItems);
      return decisive();
    };
    await fixture.run(workspace);
    expect(Math.max(...before)).toBeLessThanOrEqual(5);
    expect((await fixture.read(workspace, few.id)).status).toBe('completed');
  });

  it('waits for a backoff after a failed run', async () => {
    const { id } = await fixture.create(workspace, addresses(1));
    const broken = jest
      .spyOn(fixture.get(EnrichmentItemRepository), 'claim')
      .mockRejectedValue(new Error('the database is away'));
    await expect(fixture.run(workspace)).rejects.toThrow('the database is away');
    broken.mockRestore();
    const [partition] = await fixture
      .model<EnrichmentWorkPartitionRecord>(EnrichmentWorkPartitionRecord)
      .find(workspaceOf())
      .lean();
    expect(partition?.nextAt?.getTime()).toBeGreaterThan(fixture.clock.now().getTime());
    await fixture.run(workspace);
    expect((await fixture.read(workspace, id)).status).toBe('completed');
  });

  describe('when a worker crashes', () => {
    /** Claims items and never writes their outcome, like a crashed worker. */
    async function died(code: string): Promise<readonly EnrichmentItemRecord[]> {
      const job = await fixture.job(workspace, code);
      return (await fixture.get(EnrichmentItemRepository).claim(job, 5, 90_000)).items;
    }

    it('its items are processed again after the claim expires, and charged once', async () => {
      const { id } = await fixture.create(workspace, addresses(8));
      const lost = await died(id);
      expect(lost).toHaveLength(5);
      await fixture.run(workspace);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'processing',
        metadata: { processedItems: 3 },
      });
      fixture.clock.advance(90_000);
      await fixture.run(workspace);
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 8 } });
      expect(await fixture.credits(workspace)).toEqual({ balance: 992, reserved: 0 });
    });

    it('its late outcomes are dropped after another worker has claimed the items', async () => {
      const { id } = await fixture.create(workspace, addresses(5));
      fixture.work.does = async () => {
        // The claims expire meanwhile, and another worker processes the items.
        fixture.work.does = () => decisive('invalid');
        fixture.clock.advance(90_000);
        await other();
        return decisive('valid');
      };
      let done: Promise<void> | undefined;
      const other = () => (done ??= runOther());
      const runOther = async () => {
        const job = await fixture.job(workspace, id);
        const claim = await fixture.get(EnrichmentItemRepository).claim(job, 5, 90_000);
        expect(claim.items).toHaveLength(5);
        await fixture.get(EnrichmentItemsService).write(job, claim, () => ({
          kind: 'over',
          result: 'invalid',
          reasons: [],
          charged: true,
          detail: '{}',
          checkedAt: new Date(),
        }));
      };
      await fixture.run(workspace);
      expect(await results()).toEqual(Array.from({ length: 5 }, () => 'invalid'));
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 5 } });
      expect(await fixture.credits(workspace)).toEqual({ balance: 995, reserved: 0 });
    });

    it('after an abort, unfinished items are released at once without using up an attempt', async () => {
      const { id } = await fixture.create(workspace, addresses(8));
      const stop = new AbortController();
      fixture.work.does = ({ email }) => {
        if (email === 'person-2@example.com') stop.abort();
        return email < 'person-3@example.com' ? decisive() : undefined;
      };
      await fixture.run(workspace, stop.signal);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'processing',
        metadata: { processedItems: 3 },
      });
      const open = await items().find({ workspaceId: workspace.workspaceId, open: true }).lean();
      expect(open.map(({ claims, attempts, claim }) => [claims, attempts, claim])).toEqual(
        Array.from({ length: 5 }, () => [0, 0, undefined]),
      );
      fixture.work.does = () => decisive();
      await fixture.run(workspace);
      expect((await fixture.read(workspace, id)).status).toBe('completed');
    });

    it(`gives up items at which ${MAX_CLAIMS} workers died, and charges nothing`, async () => {
      const { id } = await fixture.create(workspace, addresses(1));
      await items().updateOne({ workspaceId: workspace.workspaceId }, { $set: { claims: MAX_CLAIMS } });
      await fixture.run(workspace);
      expect(fixture.work.asked).toEqual([]);
      expect(await results()).toEqual(['unknown']);
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 0 } });
    });
  });

  describe('an item without an answer yet', () => {
    it('is retried when the provider says so, and not after its answer', async () => {
      const { id } = await fixture.create(workspace, addresses(2));
      fixture.work.does = ({ email, attempts }) =>
        email === 'person-0@example.com' && attempts < 2
          ? { kind: 'later', at: fixture.clock.in(10 * MINUTE_MS), reason: 'greylisted' }
          : decisive();
      await fixture.run(workspace);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'processing',
        metadata: { processedItems: 1 },
      });
      fixture.clock.advance(9 * MINUTE_MS);
      await fixture.run(workspace);
      expect(fixture.work.asked).toHaveLength(2);
      for (let round = 0; round < 2; round += 1) {
        fixture.clock.advance(10 * MINUTE_MS);
        await fixture.run(workspace);
      }
      expect(fixture.work.asked.map(({ attempts }) => attempts)).toEqual([0, 0, 1, 2]);
      expect((await fixture.read(workspace, id)).status).toBe('completed');
    });

    it(`is unknown after ${MAX_ATTEMPTS} times, and free`, async () => {
      const { id } = await fixture.create(workspace, addresses(1));
      fixture.work.does = () => ({ kind: 'later', at: fixture.clock.in(MINUTE_MS), reason: 'greylisted' });
      for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
        expect((await fixture.read(workspace, id)).completedAt).toBeNull();
        await fixture.run(workspace);
        fixture.clock.advance(MINUTE_MS);
      }
      expect(fixture.work.asked).toHaveLength(MAX_ATTEMPTS);
      const [item] = await fixture.items(workspace);
      expect(item).toMatchObject({ result: 'unknown', reasons: ['out_of_time', 'greylisted'], charged: false });
      expect(await fixture.credits(workspace)).toEqual({ balance: 1_000, reserved: 0 });
    });

    it('is retried with a growing delay when the provider fails', async () => {
      const { id } = await fixture.create(workspace, addresses(1));
      fixture.work.does = () => Promise.reject(new Error('broken'));
      await fixture.run(workspace);
      await fixture.run(workspace);
      expect(fixture.work.asked).toHaveLength(1);
      fixture.clock.advance(6_000);
      await fixture.run(workspace);
      fixture.clock.advance(6_000);
      await fixture.run(workspace);
      expect(fixture.work.asked).toHaveLength(2);
      fixture.work.does = () => decisive();
      fixture.clock.advance(6_000);
      await fixture.run(workspace);
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 1 } });
    });
  });
});
