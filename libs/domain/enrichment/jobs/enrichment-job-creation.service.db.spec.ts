import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { WorkspaceLimitsService } from '@domain/identity';
import { LeadRecord, LeadRepository } from '@domain/leads';
import { TransactionService } from '@platform/database';
import { type AppError, conflict } from '@platform/errors';
import { rounds } from '@testing';
import { Types } from 'mongoose';
import { EnrichmentWorkPartitionService } from '../runs/enrichment-work-partition.service';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { StagedItemsRecord } from '../schemas/staged-items.record';
import { addresses, EnrichmentFixture, FOREVER } from '../testing/enrichment-fixture';
import { HookRegistry } from '@platform/hooks';
import { EnrichmentJobCreationService, MAX_OPEN_JOBS } from './enrichment-job-creation.service';
import { EnrichmentJobEndService } from './enrichment-job-end.service';
import { MAX_STAGING_MS, EnrichmentItemRepository } from '../runs/enrichment-item.repository';

const type = 'email_verification' as const;

describe('creating an enrichment job', () => {
  let fixture: EnrichmentFixture;
  let workspace: WorkspaceScope;
  const creation = () => fixture.get(EnrichmentJobCreationService);

  beforeAll(async () => {
    fixture = await EnrichmentFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
  });

  function anotherProcess(): EnrichmentJobCreationService {
    return new EnrichmentJobCreationService(
      fixture.model(EnrichmentJobRecord),
      fixture.get(HookRegistry),
      fixture.get(LeadRepository),
      fixture.get(EnrichmentItemRepository),
      fixture.get(CreditsService),
      fixture.get(EnrichmentWorkPartitionService),
      fixture.get(CreditsService),
      fixture.get(WorkspaceLimitsService),
      fixture.get(AuditService),
      fixture.get(TransactionService),
      fixture.clock,
    );
  }

  /** All records of jobs in this workspace. */
  async function left(): Promise<number[]> {
    const { workspaceId } = workspace;
    return Promise.all(
      [EnrichmentJobRecord, EnrichmentItemRecord, StagedItemsRecord, EnrichmentWorkPartitionRecord].map((record) =>
        fixture.model(record).countDocuments({ workspaceId }),
      ),
    );
  }

  it('reserves a credit for each address and keeps the addresses in their order', async () => {
    const job = await fixture.create(workspace, ['b@example.com', 'a@example.com', 'not an address']);
    expect(job).toMatchObject({
      status: 'pending',
      metadata: { totalItems: 3, processedItems: 0, creditsUsed: 0 },
      startedAt: null,
    });
    const items = await fixture.items(workspace);
    expect(items.map(({ email }) => email)).toEqual(['b@example.com', 'a@example.com', 'not an address']);
    expect(await fixture.credits(workspace)).toEqual({ balance: 997, reserved: 3 });
    expect(await left()).toEqual([1, 3, 0, 1]);
  });

  it('accepts an address once, whatever its spelling, and returns the number of omitted duplicates', async () => {
    const given = ['Ada@Example.com', 'ada@example.com ', 'bob@example.com', 'ada@example.com', 'NO', 'no'];
    const job = await fixture.create(workspace, given);
    expect(job).toMatchObject({ duplicateItems: 3, metadata: { totalItems: 3 } });
    expect((await fixture.items(workspace)).map(({ email }) => email)).toEqual([
      'Ada@Example.com',
      'bob@example.com',
      'NO',
    ]);
    expect(await fixture.credits(workspace)).toEqual({ balance: 997, reserved: 3 });
  });

  it('accepts texts of any length that the API allows, in any script', async () => {
    const long = String.fromCodePoint(...Array.from({ length: 1_000 }, (_, at) => 0x4e00 + ((at * 7_919) % 20_000)));
    const job = await fixture.create(workspace, [long, `x${long}`.slice(0, 1_000)]);
    expect(job).toMatchObject({ duplicateItems: 0, metadata: { totalItems: 2 } });
    expect((await fixture.items(workspace)).map(({ email }) => email)[0]).toBe(long);
  });

  it('uses the leads of a campaign that match the filters, without erased ones', async () => {
    const { _id: campaignId, leadIds } = await fixture.campaign(workspace, [
      'ada@acme.example',
      'bob@acme.example',
      'eve@x.example',
    ]);
    const all = await creation().create(workspace, { type, campaignId });
    expect(all).toMatchObject({ totalLeads: 3, duplicateItems: 0 });
    const some = await creation().create(workspace, { type, campaignId, filters: { search: 'acme' } });
    expect(some.totalLeads).toBe(2);
    const { _id: jobId } = await fixture.job(workspace, some.id);
    const chosen = (await fixture.items(workspace)).filter((item) => item.jobId.equals(jobId));
    const byEmail = chosen.toSorted((a, b) => a.email.localeCompare(b.email));
    expect(byEmail.map(({ email, leadId }) => [email, leadId?.toHexString()])).toEqual([
      ['ada@acme.example', leadIds[0]],
      ['bob@acme.example', leadIds[1]],
    ]);
    const leads = fixture.model<LeadRecord>(LeadRecord);
    const erased = { email: 'erased-1@erased.invalid', domain: 'erased.invalid' };
    await leads.updateOne({ workspaceId: workspace.workspaceId, _id: leadIds[0] }, { $set: erased });
    expect((await creation().create(workspace, { type, campaignId })).totalLeads).toBe(2);
  });

  it.each<[string, (campaignId: string) => object, string]>([
    ['no source', () => ({}), 'emails'],
    ['two sources', (campaignId) => ({ emails: ['a@b.example'], campaignId }), 'campaignId'],
    ['filters without a campaign', () => ({ emails: ['a@b.example'], filters: {} }), 'filters'],
    ['a campaign that is not there', () => ({ campaignId: new Types.ObjectId().toHexString() }), 'campaignId'],
    ['a malformed campaign', () => ({ campaignId: 'x' }), 'campaignId'],
    ['filters that choose nobody', (campaignId) => ({ campaignId, filters: { search: 'nobody' } }), 'campaignId'],
  ])('refuses %s, and stores nothing', async (_what, request, field) => {
    const { _id } = await fixture.campaign(workspace, ['ada@acme.example']);
    await expect(creation().create(workspace, { type, ...request(_id) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field }],
    });
    expect(await left()).toEqual([0, 0, 0, 0]);
  });

  it('treats a campaign of another workspace as missing', async () => {
    const other = await fixture.workspace(1);
    const { _id: campaignId } = await fixture.campaign(other, ['ada@acme.example']);
    await expect(creation().create(workspace, { type, campaignId })).rejects.toMatchObject({
      details: [{ field: 'campaignId' }],
    });
  });

  it('names the missing credits, and stores nothing', async () => {
    workspace = await fixture.workspace(7);
    await expect(fixture.create(workspace, addresses(10))).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: 'This costs 10 credits and the workspace has 7; missing: 3',
    });
    expect(await left()).toEqual([0, 0, 0, 0]);
    expect(await fixture.credits(workspace)).toEqual({ balance: 7, reserved: 0 });
  });

  it('first asks the handler whether the work is possible', async () => {
    fixture.work.requireReady = () => Promise.reject(conflict('Connect the tool first'));
    await expect(fixture.create(workspace, addresses(2))).rejects.toThrow('Connect the tool first');
    expect(await left()).toEqual([0, 0, 0, 0]);
  });

  it('accepts exactly as many concurrent jobs as the credits allow', async () => {
    const [jobs, credits] = [rounds(200, 20), rounds(120, 12)];
    workspace = await fixture.workspace(credits);
    // Two processes: each serialises its own jobs, and the database serialises both processes.
    const other = anotherProcess();
    const results = await Promise.allSettled(
      addresses(jobs).map((email, at) =>
        (at % 2 === 0 ? creation() : other).create(workspace, { type, emails: [email] }),
      ),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['INSUFFICIENT_CREDITS']));
    expect(refused).toHaveLength(jobs - credits);
    expect(await left()).toEqual([credits, credits, 0, 1]);
    expect(await fixture.credits(workspace)).toEqual({ balance: 0, reserved: credits });
  }, 60_000);

  it('accepts only one of two concurrent jobs that together exceed the limit', async () => {
    workspace = await fixture.workspace(10);
    const results = await Promise.allSettled([
      fixture.create(workspace, addresses(6, 'one.example')),
      fixture.create(workspace, addresses(6, 'two.example')),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await left()).toEqual([1, 6, 0, 2]);
    expect(await fixture.credits(workspace)).toEqual({ balance: 4, reserved: 6 });
  });

  it(`has ${MAX_OPEN_JOBS} jobs on their way in a workspace at most`, async () => {
    const { workspaceId } = workspace;
    const now = fixture.clock.now();
    const job = {
      workspaceId,
      type,
      totalItems: 1,
      servedAt: now,
      nextAt: now,
      expiresAt: fixture.clock.in(1_000_000),
    };
    const jobs = Array.from({ length: MAX_OPEN_JOBS - 1 }, (_, at) => ({ ...job, code: `ev_${at}_000000000000` }));
    await fixture.model<EnrichmentJobRecord>(EnrichmentJobRecord).insertMany(jobs);
    await fixture.create(workspace, addresses(1));
    await expect(fixture.create(workspace, addresses(1))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await fixture.credits(workspace)).toEqual({ balance: 999, reserved: 1 });
  });

  it('writes thousands of addresses', async () => {
    const many = rounds(50_000);
    workspace = await fixture.workspace(many);
    const job = await fixture.create(workspace, addresses(many));
    expect(job.metadata.totalItems).toBe(many);
    expect(await left()).toEqual([1, many, 0, 4]);
  }, 120_000);

  describe('when the process stops before the job exists', () => {
    const written = () =>
      fixture.get(EnrichmentItemRepository).stage(workspace.workspaceId, new Types.ObjectId(), items);
    const items = addresses(3).map((email) => ({ email, address: email, leadId: null }));
    const clear = () => fixture.get(EnrichmentJobEndService).removeExpired(FOREVER);

    it('removes the staged items once no process can still be writing them', async () => {
      await written();
      await clear();
      expect(await left()).toEqual([0, 3, 1, 0]);
      fixture.clock.advance(MAX_STAGING_MS);
      await clear();
      expect(await left()).toEqual([0, 0, 0, 0]);
    });

    it('refuses the job when its staged items were removed', async () => {
      const repository = fixture.get(EnrichmentItemRepository);
      const write = repository.stage.bind(repository);
      const spy = jest.spyOn(repository, 'stage').mockImplementation(async (...args) => {
        await write(...args);
        fixture.clock.advance(MAX_STAGING_MS);
        await clear();
      });
      await expect(fixture.create(workspace, addresses(3))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      spy.mockRestore();
      expect(await left()).toEqual([0, 0, 0, 0]);
      expect(await fixture.credits(workspace)).toEqual({ balance: 1_000, reserved: 0 });
    });

    it('keeps the items of jobs', async () => {
      await fixture.create(workspace, addresses(3));
      fixture.clock.advance(MAX_STAGING_MS);
      await clear();
      expect(await left()).toEqual([1, 3, 0, 1]);
    });
  });
});
