import { type WorkspaceScope } from '@domain/access';
import { Types } from 'mongoose';
import { rounds } from '@testing';
import { EnrichmentJobsService } from '../jobs/enrichment-jobs.service';
import { EnrichmentJobEndService } from '../jobs/enrichment-job-end.service';
import { RETENTION_MS } from '../jobs/job-price';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { addresses, EnrichmentFixture, FOREVER } from '../testing/enrichment-fixture';
import { decisive } from '../testing/scripted-work';
import { WorkImpossibleError } from '../item-handlers/item-handler.errors';
import { EnrichmentItemsService } from './enrichment-items.service';

const MINUTE_MS = 60_000;

describe('ends of enrichment jobs and of their items', () => {
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
  const results = async () => (await fixture.items(workspace)).map(({ result }) => result);

  describe('an item at a tool', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await fixture.create(workspace, addresses(2)));
      fixture.work.does = () => ({ kind: 'handed', until: fixture.clock.in(60 * MINUTE_MS) });
      await fixture.run(workspace);
    });

    async function settle(at: number, result: string): Promise<boolean> {
      const { _id, jobId, workspaceId } = (await fixture.items(workspace))[at]!;
      const [itemId, job] = [_id.toHexString(), jobId.toHexString()];
      return fixture.get(EnrichmentItemsService).settle(workspaceId.toHexString(), job, itemId, decisive(result));
    }

    it('ends with the result of the tool, once for any number of callbacks', async () => {
      expect(await settle(0, 'found')).toBe(true);
      expect(await settle(0, 'found')).toBe(false);
      expect(await settle(0, 'not_found')).toBe(false);
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'processing', metadata: { creditsUsed: 1 } });
      await settle(1, 'found');
      expect(await results()).toEqual(['found', 'found']);
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 2 } });
      expect(await fixture.credits(workspace)).toEqual({ balance: 998, reserved: 0 });
    });

    it('is written once under concurrent equal callbacks', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => settle(0, 'found')));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect((await fixture.read(workspace, id)).metadata).toMatchObject({ processedItems: 1, creditsUsed: 1 });
    });

    it('fails without a result in time, and a later result is dropped', async () => {
      await settle(0, 'found');
      fixture.clock.advance(60 * MINUTE_MS);
      await fixture.run(workspace);
      expect(fixture.work.asked).toHaveLength(2);
      expect((await fixture.items(workspace)).map(({ result, reasons }) => [result, ...reasons])).toEqual([
        ['found', 'reported'],
        ['failed', 'no_answer'],
      ]);
      expect(await settle(1, 'found')).toBe(false);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'completed',
        metadata: { failedCount: 1, creditsUsed: 1 },
      });
    });

    it('is not found by another workspace, another job or an invalid id', async () => {
      const [{ _id, jobId, workspaceId }] = (await fixture.items(workspace)) as [EnrichmentItemRecord];
      const [item, job, mine] = [_id, jobId, workspaceId].map((one) => one.toHexString()) as [string, string, string];
      const other = new Types.ObjectId().toHexString();
      for (const [a, b, c] of [
        [other, job, item],
        [mine, other, item],
        [mine, job, other],
        ['x', job, item],
        [mine, job, '{"$ne":null}'],
      ] as const) {
        expect(await fixture.get(EnrichmentItemsService).settle(a, b, c, decisive())).toBe(false);
      }
    });

    it('accepts a result before its handover is recorded', async () => {
      workspace = await fixture.fresh();
      const early = await fixture.create(workspace, addresses(1));
      fixture.work.does = async (item) => {
        const [a, b, c] = [item.workspaceId, item.jobId, item._id].map((one) => one.toHexString()) as [
          string,
          string,
          string,
        ];
        expect(await fixture.get(EnrichmentItemsService).settle(a, b, c, decisive('found'))).toBe(true);
        return { kind: 'handed', until: fixture.clock.in(MINUTE_MS) };
      };
      await fixture.run(workspace);
      expect(await fixture.read(workspace, early.id)).toMatchObject({
        status: 'completed',
        metadata: { creditsUsed: 1 },
      });
    });
  });

  describe('an ended job', () => {
    const cancel = (id: string) => fixture.get(EnrichmentJobsService).cancel(workspace, id);

    it('keeps and charges finished items, and returns the remaining credits', async () => {
      const { id } = await fixture.create(workspace, addresses(10));
      fixture.work.does = ({ email }) =>
        email < 'person-3@example.com'
          ? decisive()
          : { kind: 'later', at: fixture.clock.in(MINUTE_MS), reason: 'busy' };
      await fixture.run(workspace);
      expect(await cancel(id)).toMatchObject({ status: 'cancelled', metadata: { processedItems: 3, creditsUsed: 3 } });
      expect(await fixture.credits(workspace)).toEqual({ balance: 997, reserved: 0 });
      fixture.clock.advance(MINUTE_MS);
      await fixture.run(workspace);
      expect(fixture.work.asked).toHaveLength(10);
      expect(await fixture.completions(workspace)).toEqual([]);
    });

    it('drops outcomes of running items when it was cancelled', async () => {
      const { id } = await fixture.create(workspace, addresses(5));
      let cancelled: Promise<unknown> | undefined;
      fixture.work.does = async () => {
        await (cancelled ??= cancel(id));
        return decisive();
      };
      await fixture.run(workspace);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'cancelled',
        metadata: { processedItems: 0, creditsUsed: 0 },
      });
      expect(await results()).toEqual(Array.from({ length: 5 }, () => undefined));
      expect(await fixture.credits(workspace)).toEqual({ balance: 1_000, reserved: 0 });
    });

    it('is settled once when it is cancelled while workers process its last items', async () => {
      for (let round = 0; round < rounds(5, 2); round += 1) {
        workspace = await fixture.fresh();
        const { id } = await fixture.create(workspace, addresses(20));
        await Promise.all([fixture.runAll(workspace), cancel(id).catch(() => undefined)]);
        const { status, metadata } = await fixture.read(workspace, id);
        expect(['cancelled', 'completed']).toContain(status);
        const charged = (await fixture.items(workspace)).filter((item) => item.charged).length;
        expect(metadata).toMatchObject({ processedItems: charged, creditsUsed: charged });
        expect(await fixture.credits(workspace)).toEqual({ balance: 1_000 - charged, reserved: 0 });
      }
    });

    it('fails with a reason when its work is impossible, and keeps finished items', async () => {
      const { id } = await fixture.create(workspace, addresses(10));
      fixture.work.does = ({ email }) => {
        if (email > 'person-4@example.com')
          throw new WorkImpossibleError('TOOL_NOT_CONFIGURED', 'No tool is connected');
        return decisive();
      };
      await fixture.run(workspace);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'failed',
        metadata: { processedItems: 5, creditsUsed: 5 },
      });
      expect(await fixture.get(EnrichmentJobsService).details(workspace, id)).toMatchObject({
        error: { code: 'TOOL_NOT_CONFIGURED', message: 'No tool is connected' },
        results: { valid: 5 },
      });
      expect(await fixture.credits(workspace)).toEqual({ balance: 995, reserved: 0 });
      await expect(cancel(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('is settled when it expires after seven days, and is then deleted with its items', async () => {
      const { id } = await fixture.create(workspace, addresses(10));
      const { createdAt } = await fixture.job(workspace, id);
      fixture.work.does = ({ email }) =>
        email < 'person-3@example.com' ? decisive() : { kind: 'handed', until: fixture.clock.in(RETENTION_MS * 2) };
      await fixture.run(workspace);
      fixture.clock.freeze(new Date(createdAt.getTime() + RETENTION_MS - 1));
      await fixture.get(EnrichmentJobEndService).removeExpired(FOREVER);
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'processing' });
      fixture.clock.advance(1);
      await expect(fixture.read(workspace, id)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Enrichment job not found or expired',
      });
      fixture.work.asked.length = 0;
      await fixture.run(workspace);
      expect(fixture.work.asked).toEqual([]);
      await fixture.get(EnrichmentJobEndService).removeExpired(FOREVER);
      expect(await fixture.items(workspace)).toEqual([]);
      expect(
        await fixture
          .model<EnrichmentJobRecord>(EnrichmentJobRecord)
          .countDocuments({ workspaceId: workspace.workspaceId }),
      ).toBe(0);
      expect(await fixture.credits(workspace)).toEqual({ balance: 997, reserved: 0 });
    });
  });

  describe('an erased person', () => {
    const erase = (email: string) =>
      items().updateMany(
        { workspaceId: workspace.workspaceId, address: email },
        { $set: { email: 'erased', address: 'erased', leadId: null, detail: '{}', erased: true } },
      );

    it('is not processed any more, and the job completes', async () => {
      const { id } = await fixture.create(workspace, addresses(3));
      await erase('person-1@example.com');
      await fixture.run(workspace);
      expect(fixture.work.asked.map(({ email }) => email)).toEqual(['person-0@example.com', 'person-2@example.com']);
      expect(await results()).toEqual(['valid', 'failed', 'valid']);
      expect(await fixture.read(workspace, id)).toMatchObject({
        status: 'completed',
        metadata: { failedCount: 1, creditsUsed: 2 },
      });
    });

    it('leaves no data of an outcome that arrives at that moment', async () => {
      const { id } = await fixture.create(workspace, addresses(1));
      fixture.work.does = async ({ email }) => {
        await erase(email);
        return decisive();
      };
      await fixture.run(workspace);
      const [item] = await fixture.items(workspace);
      expect(item).toMatchObject({
        email: 'erased',
        result: 'failed',
        reasons: ['erased'],
        detail: '{}',
        charged: false,
      });
      expect((await fixture.read(workspace, id)).status).toBe('completed');
    });

    it('does not keep a job waiting for an item at a tool', async () => {
      const { id } = await fixture.create(workspace, addresses(1));
      fixture.work.does = () => ({ kind: 'handed', until: fixture.clock.in(MINUTE_MS) });
      await fixture.run(workspace);
      await erase('person-0@example.com');
      const [{ _id, jobId, workspaceId }] = (await fixture.items(workspace)) as [EnrichmentItemRecord];
      const settled = fixture
        .get(EnrichmentItemsService)
        .settle(workspaceId.toHexString(), jobId.toHexString(), _id.toHexString(), decisive());
      expect(await settled).toBe(true);
      expect((await fixture.items(workspace))[0]).toMatchObject({
        result: 'failed',
        reasons: ['erased'],
        detail: '{}',
      });
      expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 0 } });
    });
  });
});
