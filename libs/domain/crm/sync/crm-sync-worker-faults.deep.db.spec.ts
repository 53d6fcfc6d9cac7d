import { DEEP } from '../../../testing';
import { CrmConnectionHookRegistry } from '../connections/crm-connection-hook.registry';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobsService } from '../jobs/crm-sync-jobs.service';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { MAPPING, CrmSyncFixture, type SyncWorld } from '../testing/crm-sync-fixture';
import { MAX_RESTARTS, CrmSyncJobRepository } from './crm-sync-job.repository';
import { TIMEOUT_MS } from './crm-sync-worker.service';
import { MAX_ATTEMPTS } from './written-plan';

const address = (at: number) => `person-${at}@example.com`;
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ email: address(at), firstName: `P${at}` }));

describe('a sync', () => {
  let fixture: CrmSyncFixture;
  let world: SyncWorld;

  beforeAll(async () => {
    fixture = await CrmSyncFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    world = await fixture.fresh();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await world.violations()).toEqual([]);
  });

  const people = (count: number) =>
    rows(count).map(({ email, firstName }) => world.crm.store.add({ emails: [email], fields: { first: firstName } }));
  const twice = () => rows(200).filter(({ email }) => world.crm.store.withEmail(email).length > 1);

  it('is refused with the current connection when its settings changed meanwhile', async () => {
    people(3);
    await world.sync({ jobType: 'pull' });
    const { workspaceId } = world.workspace;
    const connections = fixture.model<CrmConnectionRecord>(CrmConnectionRecord);
    const begins = world.crm.begins.bind(world.crm);
    jest.spyOn(world.crm, 'begins').mockImplementationOnce(async (...call) => {
      await connections.updateOne({ workspaceId, type: 'hubspot' }, { $inc: { revision: 1 } });
      world.crm.next({ fails: 'unauthorised' });
      return begins(...call);
    });
    await world.turn();
    expect((await world.partition()).nextAt?.getTime()).toBeLessThanOrEqual(fixture.clock.now().getTime());
    world.crm.next({ fails: 'unauthorised' });
    await world.turn();
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
      world.crm.limits.page = 10;
      people(25);
      const { id } = await world.sync({ jobType: 'pull' });
      const before = fixture.clock.now().getTime();
      let pages = 0;
      const { driver } = { driver: world.crm };
      const begins = driver.begins.bind(driver);
      jest.spyOn(driver, 'begins').mockImplementation((call, account, signal) => {
        pages += 1;
        if (pages === 2) driver.next({ fails, ...(retryAfterMs !== undefined && { retryAfterMs }) });
        return begins(call, account, signal);
      });
      await world.turn();
      expect(await world.read(id)).toMatchObject({
        status: 'processing',
        processedRecords: 10,
        lastError: { code: 'CRM_UNAVAILABLE' },
      });
      const { cooldownUntil, nextAt } = await world.partition();
      expect(cooldownUntil?.getTime()).toBeGreaterThanOrEqual(before + rest);
      expect(nextAt).toEqual(cooldownUntil);
      // No request is sent before the cooldown ends, with or without a job.
      await fixture.get(CrmWorkPartitionService).scheduleNow(world.workspace.workspaceId, 'hubspot');
      await world.turn();
      expect(pages).toBe(2);
      fixture.clock.advance(rest * 1.2);
      await world.turn();
      expect(await world.read(id)).toMatchObject({
        status: 'completed',
        lastError: null,
        counts: { created: 25 },
        apiCalls: 4,
      });
      expect((await world.partition()).failures).toBe(0);
    },
  );

  it('cools down when the quota of the CRM is used up, even when a job runs early', async () => {
    people(1);
    const { id } = await world.sync({ jobType: 'pull' });
    const open = world.crm.open.bind(world.crm);
    jest.spyOn(world.crm, 'open').mockImplementationOnce((account) => {
      return Object.assign(open(account), { cooldownUntil: fixture.clock.in(60_000) });
    });
    await world.turn();
    await fixture.get(CrmWorkPartitionService).scheduleNow(world.workspace.workspaceId, 'hubspot');
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'pending', apiCalls: 0 });
    fixture.clock.advance(60_000);
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  });

  it('cools down longer with each consecutive failure', async () => {
    people(1);
    await world.sync({ jobType: 'pull' });
    for (let nth = 0; nth < 5; nth += 1) {
      world.crm.next({ fails: 'server' });
      const before = fixture.clock.now().getTime();
      await world.turn();
      const { failures, cooldownUntil } = await world.partition();
      expect(failures).toBe(nth + 1);
      expect(cooldownUntil?.getTime()).toBeGreaterThanOrEqual(before + 5_000 * 2 ** nth);
      fixture.clock.advance(6_000 * 2 ** nth);
    }
  });

  it('waits until the CRM is connected again, and then continues', async () => {
    people(3);
    const { id } = await world.sync({ jobType: 'pull' });
    world.crm.refusedTokens.add('key');
    await world.turn();
    expect(await world.connection()).toMatchObject({ status: 'disconnected' });
    expect(await world.events('integration.disconnected')).toHaveLength(1);
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'processing', lastError: { code: 'CRM_NOT_CONNECTED' } });
    await expect(world.sync({ jobType: 'push' })).rejects.toMatchObject({ code: 'CRM_NOT_CONNECTED' });
    world.crm.refusedTokens.clear();
    await fixture
      .model<CrmConnectionRecord>(CrmConnectionRecord)
      .updateOne({ workspaceId: world.workspace.workspaceId }, { $set: { status: 'connected' } });
    await fixture.get(CrmConnectionHookRegistry).connected(world.workspace.workspaceId, 'hubspot');
    expect((await world.partition()).nextAt?.getTime()).toBeLessThanOrEqual(fixture.clock.now().getTime());
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'completed', counts: { created: 3 } });
  });

  it('is given up after a week without progress', async () => {
    people(3);
    const { id } = await world.sync({ jobType: 'pull' });
    world.crm.next({ fails: 'unreachable' });
    await world.turn();
    fixture.clock.advance(TIMEOUT_MS + 1);
    world.crm.next({ fails: 'unreachable' });
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_UNAVAILABLE' } });
  });

  it('ends with its connection and deletes its links', async () => {
    await world.add(...rows(2));
    await world.done({ jobType: 'push' });
    const { id } = await world.sync({ jobType: 'pull' });
    await fixture.get(CrmConnectionHookRegistry).disconnected(world.workspace.workspaceId, 'hubspot', 'removed');
    await fixture
      .model<CrmConnectionRecord>(CrmConnectionRecord)
      .deleteOne({ workspaceId: world.workspace.workspaceId });
    expect(await world.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_NOT_CONNECTED' } });
    await world.turn();
    expect(await world.links()).toEqual([]);
    await world.connect(MAPPING);
    expect(await world.done({ jobType: 'push' })).toMatchObject({ counts: { unchanged: 2, created: 0 } });
    expect(await world.links()).toHaveLength(2);
  });

  it.each(['lost', 'cut'] as const)('creates no duplicate after a response without a result (%s)', async (fate) => {
    await world.add(...rows(30));
    world.crm.next(fate, 'write');
    const job = await world.done({ jobType: 'push' });
    expect(job).toMatchObject({ status: 'completed', processedRecords: 30, counts: { created: 30, failed: 0 } });
    expect(world.crm.store.size).toBe(30);
    expect(twice()).toEqual([]);
    expect(
      (await world.links()).every(({ waitingFor, externalId }) => waitingFor === undefined && externalId !== ''),
    ).toBe(true);
  });

  it('gives up on a person without a result after all attempts', async () => {
    await world.add(...rows(1));
    for (let nth = 0; nth < 10; nth += 1) world.crm.next('cut', 'write');
    const job = await world.done({ jobType: 'push' });
    expect(job).toMatchObject({ status: 'completed', counts: { failed: 1 }, errors: [{ code: 'ambiguous' }] });
    expect(world.crm.calls.filter((call) => call === 'write')).toHaveLength(MAX_ATTEMPTS + 1);
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
      world.crm.limits.page = 150;
      people(200);
      const { id } = await world.sync({ jobType: 'pull' });
      dies('writeProgress', nth);
      await expect(world.turn()).rejects.toThrow('the worker died');
      expect(await world.violations()).toEqual([]);
      jest.restoreAllMocks();
      fixture.clock.advance(10_000);
      await world.turn();
      expect(await world.read(id)).toMatchObject({
        status: 'completed',
        processedRecords: 200,
        counts: { created: 200 },
      });
      expect(await world.leads()).toHaveLength(200);
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
      world.crm.limits = { page: 50, find: 50, read: 50, write: 20, record: 10 };
      await world.add(...rows(80));
      const { id } = await world.sync({ jobType: 'push' });
      dies(of, nth);
      await expect(world.turn()).rejects.toThrow('the worker died');
      jest.restoreAllMocks();
      for (let turns = 0; turns < 4; turns += 1) {
        fixture.clock.advance(130_000);
        await world.turn();
      }
      expect(await world.read(id)).toMatchObject({
        status: 'completed',
        processedRecords: 80,
        counts: { created: 80 },
      });
      expect(world.crm.store.size).toBe(80);
      expect(twice()).toEqual([]);
    });

    it('writes nothing after another worker has acquired the partition', async () => {
      people(5);
      const { id } = await world.sync({ jobType: 'pull' });
      jest.spyOn(fixture.get(CrmWorkPartitionService), 'renew').mockResolvedValue(false);
      await world.turn();
      expect(await world.read(id)).toMatchObject({ processedRecords: 0 });
      expect(await world.leads()).toEqual([]);
    });
  });

  it('is done by one worker at a time', async () => {
    people(150);
    world.crm.limits.page = 50;
    const { id } = await world.sync({ jobType: 'pull' });
    await Promise.all([world.turn(), world.turn(), world.turn()]);
    expect(await world.read(id)).toMatchObject({ status: 'completed', apiCalls: 3, counts: { created: 150 } });
  });

  it('stops between batches after a cancellation, and keeps synced people', async () => {
    world.crm.limits.page = 10;
    people(30);
    const { id } = await world.sync({ jobType: 'pull' });
    const begins = world.crm.begins.bind(world.crm);
    let pages = 0;
    jest.spyOn(world.crm, 'begins').mockImplementation(async (call, account, signal) => {
      pages += 1;
      if (pages === 2) await fixture.get(CrmSyncJobsService).cancel(world.workspace, id);
      return begins(call, account, signal);
    });
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'cancelled', processedRecords: 10, importedCount: 10 });
    expect(await world.leads()).toHaveLength(10);
    await expect(fixture.get(CrmSyncJobsService).cancel(world.workspace, id)).resolves.toMatchObject({
      status: 'cancelled',
    });
  });

  it('restarts when the CRM rejects the cursor, and imports no person twice', async () => {
    world.crm.limits.page = 10;
    people(25);
    const { id } = await world.sync({ jobType: 'pull' });
    const begins = world.crm.begins.bind(world.crm);
    let pages = 0;
    jest.spyOn(world.crm, 'begins').mockImplementation((call, account, signal) => {
      pages += 1;
      if (pages === 2) world.crm.next({ fails: 'cursor' });
      return begins(call, account, signal);
    });
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'completed', counts: { created: 25, unchanged: 10 } });
    expect(await world.leads()).toHaveLength(25);
  });

  it('fails when the CRM rejects the cursor repeatedly', async () => {
    world.crm.limits.page = 10;
    people(25);
    const { id } = await world.sync({ jobType: 'pull' });
    const begins = world.crm.begins.bind(world.crm);
    let pages = 0;
    jest.spyOn(world.crm, 'begins').mockImplementation((call, account, signal) => {
      pages += 1;
      if (pages % 2 === 0) world.crm.next({ fails: 'cursor' });
      return begins(call, account, signal);
    });
    await world.turn();
    expect(pages).toBe(2 * (MAX_RESTARTS + 1));
    expect(await world.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_REFUSED' } });
  });

  it('fails when the CRM refuses a request permanently', async () => {
    const { id } = await world.sync({ jobType: 'pull', filter: { listId: 'nowhere' } });
    await world.turn();
    expect(await world.read(id)).toMatchObject({ status: 'failed', lastError: { code: 'CRM_REFUSED' } });
  });

  it('does not delay other workspaces', async () => {
    world.crm.next({ fails: 'rate_limited', retryAfterMs: 3_600_000 });
    await world.sync({ jobType: 'pull' });
    await world.turn();
    world = await fixture.another();
    people(2);
    expect(await world.done({ jobType: 'pull' })).toMatchObject({ status: 'completed', counts: { created: 2 } });
  });
});
