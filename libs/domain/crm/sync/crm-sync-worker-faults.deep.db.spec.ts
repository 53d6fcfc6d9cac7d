import { HookRegistry } from '@platform/hooks';
import { DEEP } from '../../../testing';
import { CRM_CONNECTION_HOOKS } from '../connections/crm-connection-hooks';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobsService } from '../jobs/crm-sync-jobs.service';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { MAPPING } from '../testing/sync-mapping';
import { CrmSyncFixture } from '../testing/crm-sync-fixture';
import { type SyncScenario } from '../testing/sync-scenario';
import { MAX_RESTARTS, CrmSyncJobRepository } from './crm-sync-job.repository';
import { TIMEOUT_MS } from './crm-sync-worker.service';
import { MAX_ATTEMPTS } from './written-plan';

const address = (at: number) => `person-${at}@example.com`;
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ email: address(at), firstName: `P${at}` }));

describe('a sync', () => {
  let fixture: CrmSyncFixture;
  let scenario: SyncScenario;

  beforeAll(async () => {
    fixture = await CrmSyncFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    scenario = await fixture.fresh();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await scenario.violations()).toEqual([]);
  });

  const people = (count: number) =>
    rows(count).map(({ email, firstName }) =>
      scenario.crm.store.add({ emails: [email], fields: { first: firstName } }),
    );
  const twice = () => rows(200).filter(({ email }) => scenario.crm.store.withEmail(email).length > 1);

  it('is refused with the current connection when its settings changed meanwhile', async () => {
    people(3);
    await scenario.sync({ jobType: 'pull' });
    const { workspaceId } = scenario.workspace;
    const connections = fixture.model<CrmConnectionRecord>(CrmConnectionRecord);
    const begins = scenario.crm.begins.bind(scenario.crm);
    jest.spyOn(scenario.crm, 'begins').mockImplementationOnce(async (...call) => {
      await connections.updateOne({ workspaceId, type: 'hubspot' }, { $inc: { revision: 1 } });
      scenario.crm.next({ fails: 'unauthorised' });
      return begins(...call);
    });
    await scenario.runPartition();
    expect((await scenario.partition()).nextAt?.getTime()).toBeLessThanOrEqual(fixture.clock.now().getTime());
    scenario.crm.next({ fails: 'unauthorised' });
    await scenario.runPartition();
    const refused = await connections.findOne({ workspaceId, type: 'hubspot' }).lean<CrmConnectionRecord>();
    expect(refused?.status).toBe('disconnected');
  });

  it.each([
    ['rate_limited', 60_000, 60_000],
    ['rate_limited', undefined, 5_000],
    ['unreachable', undefined, 5_000],
    ['quota', 3_600_000, 3_600_000],
  ] as const)(
    'cools down when the CRM is %s (asks for %s ms), and resumes at the same place',
    async (fails, retryAfterMs, rest) => {
      scenario.crm.limits.page = 10;
      people(25);
      const { id } = await scenario.sync({ jobType: 'pull' });
      const before = fixture.clock.now().getTime();
      let pages = 0;
      const { driver } = { driver: scenario.crm };
      const begins = driver.begins.bind(driver);
      jest.spyOn(driver, 'begins').mockImplementation((call, account, signal) => {
        pages += 1;
        if (pages === 2) driver.next({ fails, ...(retryAfterMs !== undefined && { retryAfterMs }) });
        return begins(call, account, signal);
      });
      await scenario.runPartition();
      expect(await scenario.read(id)).toMatchObject({
        status: 'processing',
        processedRecords: 10,
        lastError: { code: 'CRM_UNAVAILABLE' },
      });
      const { cooldownUntil, nextAt } = await scenario.partition();
      expect(cooldownUntil?.getTime()).toBeGreaterThanOrEqual(before + rest);
      expect(nextAt).toEqual(cooldownUntil);
      // No request is sent before the cooldown ends, with or without a job.
      await fixture.get(CrmWorkPartitionService).scheduleNow(scenario.workspace.workspaceId, 'hubspot');
      await scenario.runPartition();
      expect(pages).toBe(2);
      fixture.clock.advance(rest * 1.2);
      await scenario.runPartition();
      expect(await scenario.read(id)).toMatchObject({
        status: 'completed',
        lastError: null,
        counts: { created: 25 },
        apiCalls: 4,
      });
      expect((await scenario.partition()).failures).toBe(0);
    },
  );

  it('cools down when the quota of the CRM is used up, even when a job runs early', async () => {
    people(1);
    const { id } = await scenario.sync({ jobType: 'pull' });
    const open = scenario.crm.open.bind(scenario.crm);
    jest.spyOn(scenario.crm, 'open').mockImplementationOnce((account) => {
      return Object.assign(open(account), { cooldownUntil: fixture.clock.in(60_000) });
    });
    await scenario.runPartition();
    await fixture.get(CrmWorkPartitionService).scheduleNow(scenario.workspace.workspaceId, 'hubspot');
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'pending', apiCalls: 0 });
    fixture.clock.advance(60_000);
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  });

  it('cools down longer with each consecutive failure', async () => {
    people(1);
    await scenario.sync({ jobType: 'pull' });
    for (let nth = 0; nth < 5; nth += 1) {
      scenario.crm.next({ fails: 'server' });
      const before = fixture.clock.now().getTime();
      await scenario.runPartition();
      const { failures, cooldownUntil } = await scenario.partition();
      expect(failures).toBe(nth + 1);
      expect(cooldownUntil?.getTime()).toBeGreaterThanOrEqual(before + 5_000 * 2 ** nth);
      fixture.clock.advance(6_000 * 2 ** nth);
    }
  });

  it('waits until the CRM is connected again, and then continues', async () => {
    people(3);
    const { id } = await scenario.sync({ jobType: 'pull' });
    scenario.crm.refusedTokens.add('key');
    await scenario.runPartition();
    expect(await scenario.connection()).toMatchObject({ status: 'disconnected' });
    expect(await scenario.events('integration.disconnected')).toHaveLength(1);
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'processing', lastError: { code: 'CRM_NOT_CONNECTED' } });
    await expect(scenario.sync({ jobType: 'push' })).rejects.toMatchObject({ code: 'CRM_NOT_CONNECTED' });
    scenario.crm.refusedTokens.clear();
    await fixture
      .model<CrmConnectionRecord>(CrmConnectionRecord)
      .updateOne({ workspaceId: scenario.workspace.workspaceId }, { $set: { status: 'connected' } });
    await fixture.get(HookRegistry).call(CRM_CONNECTION_HOOKS, 'connected', scenario.workspace.workspaceId, 'hubspot');
    expect((await scenario.partition()).nextAt?.getTime()).toBeLessThanOrEqual(fixture.clock.now().getTime());
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'completed', counts: { created: 3 } });
  });

  it('is given up after a week without progress', async () => {
    people(3);
    const { id } = await scenario.sync({ jobType: 'pull' });
    scenario.crm.next({ fails: 'unreachable' });
    await scenario.runPartition();
    fixture.clock.advance(TIMEOUT_MS + 1);
    scenario.crm.next({ fails: 'unreachable' });
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_UNAVAILABLE' } });
  });

  it('ends with its connection and deletes its links', async () => {
    await scenario.add(...rows(2));
    await scenario.done({ jobType: 'push' });
    const { id } = await scenario.sync({ jobType: 'pull' });
    await fixture
      .get(HookRegistry)
      .call(CRM_CONNECTION_HOOKS, 'disconnected', scenario.workspace.workspaceId, 'hubspot', 'removed');
    await fixture
      .model<CrmConnectionRecord>(CrmConnectionRecord)
      .deleteOne({ workspaceId: scenario.workspace.workspaceId });
    expect(await scenario.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_NOT_CONNECTED' } });
    await scenario.runPartition();
    expect(await scenario.links()).toEqual([]);
    await scenario.connect(MAPPING);
    expect(await scenario.done({ jobType: 'push' })).toMatchObject({ counts: { unchanged: 2, created: 0 } });
    expect(await scenario.links()).toHaveLength(2);
  });

  it.each(['lost', 'cut'] as const)('creates no duplicate after a response without a result (%s)', async (fate) => {
    await scenario.add(...rows(30));
    scenario.crm.next(fate, 'write');
    const job = await scenario.done({ jobType: 'push' });
    expect(job).toMatchObject({ status: 'completed', processedRecords: 30, counts: { created: 30, failed: 0 } });
    expect(scenario.crm.store.size).toBe(30);
    expect(twice()).toEqual([]);
    expect(
      (await scenario.links()).every(({ waitingFor, externalId }) => waitingFor === undefined && externalId !== ''),
    ).toBe(true);
  });

  it('gives up on a person without a result after all attempts', async () => {
    await scenario.add(...rows(1));
    for (let nth = 0; nth < 10; nth += 1) scenario.crm.next('cut', 'write');
    const job = await scenario.done({ jobType: 'push' });
    expect(job).toMatchObject({ status: 'completed', counts: { failed: 1 }, errors: [{ code: 'ambiguous' }] });
    expect(scenario.crm.calls.filter((call) => call === 'write')).toHaveLength(MAX_ATTEMPTS + 1);
  });

  describe('with a worker crash', () => {
    /** Crashes at the nth step of this kind; `after`: the step itself is done. */
    function dies(of: 'writeProgress' | 'requireCurrent', nth: number, after = false): void {
      const writes = fixture.get(CrmSyncJobRepository);
      const original = writes[of].bind(writes) as (...args: unknown[]) => Promise<unknown>;
      let count = 0;
      jest.spyOn(writes, of as 'writeProgress').mockImplementation(async (...args) => {
        count += 1;
        if (count !== nth) return (await original(...args)) as never;
        if (after) await original(...args);
        throw new Error('the worker died');
      });
    }

    it.each(DEEP ? [1, 2, 3] : [2])('in transaction %s of a pull imports each person once', async (nth) => {
      scenario.crm.limits.page = 150;
      people(200);
      const { id } = await scenario.sync({ jobType: 'pull' });
      dies('writeProgress', nth);
      await expect(scenario.runPartition()).rejects.toThrow('the worker died');
      expect(await scenario.violations()).toEqual([]);
      jest.restoreAllMocks();
      fixture.clock.advance(10_000);
      await scenario.runPartition();
      expect(await scenario.read(id)).toMatchObject({
        status: 'completed',
        processedRecords: 200,
        counts: { created: 200 },
      });
      expect(await scenario.leads()).toHaveLength(200);
    });

    const deaths = [
      ['writeProgress', 1],
      ['requireCurrent', 2],
      ['writeProgress', 2],
      ['writeProgress', 3],
      ['writeProgress', 4],
      ['requireCurrent', 1],
    ] as const;

    it.each(DEEP ? deaths : deaths.slice(0, 3))('in %s %s of a push creates each person once', async (of, nth) => {
      scenario.crm.limits = { page: 50, find: 50, read: 50, write: 20, record: 10 };
      await scenario.add(...rows(80));
      const { id } = await scenario.sync({ jobType: 'push' });
      dies(of, nth);
      await expect(scenario.runPartition()).rejects.toThrow('the worker died');
      jest.restoreAllMocks();
      for (let runs = 0; runs < 4; runs += 1) {
        fixture.clock.advance(130_000);
        await scenario.runPartition();
      }
      expect(await scenario.read(id)).toMatchObject({
        status: 'completed',
        processedRecords: 80,
        counts: { created: 80 },
      });
      expect(scenario.crm.store.size).toBe(80);
      expect(twice()).toEqual([]);
    });

    it('writes nothing after another worker has acquired the partition', async () => {
      people(5);
      const { id } = await scenario.sync({ jobType: 'pull' });
      jest.spyOn(fixture.get(CrmWorkPartitionService), 'renew').mockResolvedValue(false);
      await scenario.runPartition();
      expect(await scenario.read(id)).toMatchObject({ processedRecords: 0 });
      expect(await scenario.leads()).toEqual([]);
    });
  });

  it('is done by one worker at a time', async () => {
    people(150);
    scenario.crm.limits.page = 50;
    const { id } = await scenario.sync({ jobType: 'pull' });
    await Promise.all([scenario.runPartition(), scenario.runPartition(), scenario.runPartition()]);
    expect(await scenario.read(id)).toMatchObject({ status: 'completed', apiCalls: 3, counts: { created: 150 } });
  });

  it('stops between batches after a cancellation, and keeps synced people', async () => {
    scenario.crm.limits.page = 10;
    people(30);
    const { id } = await scenario.sync({ jobType: 'pull' });
    const begins = scenario.crm.begins.bind(scenario.crm);
    let pages = 0;
    jest.spyOn(scenario.crm, 'begins').mockImplementation(async (call, account, signal) => {
      pages += 1;
      if (pages === 2) await fixture.get(CrmSyncJobsService).cancel(scenario.workspace, id);
      return begins(call, account, signal);
    });
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'cancelled', processedRecords: 10, importedCount: 10 });
    expect(await scenario.leads()).toHaveLength(10);
    await expect(fixture.get(CrmSyncJobsService).cancel(scenario.workspace, id)).resolves.toMatchObject({
      status: 'cancelled',
    });
  });

  it('restarts when the CRM rejects the cursor, and imports no person twice', async () => {
    scenario.crm.limits.page = 10;
    people(25);
    const { id } = await scenario.sync({ jobType: 'pull' });
    const begins = scenario.crm.begins.bind(scenario.crm);
    let pages = 0;
    jest.spyOn(scenario.crm, 'begins').mockImplementation((call, account, signal) => {
      pages += 1;
      if (pages === 2) scenario.crm.next({ fails: 'cursor' });
      return begins(call, account, signal);
    });
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'completed', counts: { created: 25, unchanged: 10 } });
    expect(await scenario.leads()).toHaveLength(25);
  });

  it('fails when the CRM rejects the cursor repeatedly', async () => {
    scenario.crm.limits.page = 10;
    people(25);
    const { id } = await scenario.sync({ jobType: 'pull' });
    const begins = scenario.crm.begins.bind(scenario.crm);
    let pages = 0;
    jest.spyOn(scenario.crm, 'begins').mockImplementation((call, account, signal) => {
      pages += 1;
      if (pages % 2 === 0) scenario.crm.next({ fails: 'cursor' });
      return begins(call, account, signal);
    });
    await scenario.runPartition();
    expect(pages).toBe(2 * (MAX_RESTARTS + 1));
    expect(await scenario.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_REFUSED' } });
  });

  it('fails when the CRM refuses a request permanently', async () => {
    const { id } = await scenario.sync({ jobType: 'pull', filter: { listId: 'nowhere' } });
    await scenario.runPartition();
    expect(await scenario.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_REFUSED' } });
  });

  it('does not delay other workspaces', async () => {
    scenario.crm.next({ fails: 'rate_limited', retryAfterMs: 3_600_000 });
    await scenario.sync({ jobType: 'pull' });
    await scenario.runPartition();
    scenario = await fixture.another();
    people(2);
    expect(await scenario.done({ jobType: 'pull' })).toMatchObject({ status: 'completed', counts: { created: 2 } });
  });
});
