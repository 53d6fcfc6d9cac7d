import { CrmSyncFixture } from '../testing/crm-sync-fixture';
import { type SyncScenario } from '../testing/sync-scenario';

const ROUNDS = 10;
const address = (at: number) => `person-${at}@example.com`;

describe('syncs with a CRM', () => {
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
    expect(await scenario.violations()).toEqual([]);
  });

  const person = (at: number, fields: Record<string, string> = {}) =>
    scenario.crm.store.add({ emails: [address(at)], fields: { first: `First ${at}`, company: 'Acme', ...fields } });

  it('import people of the CRM into the campaign, page by page', async () => {
    scenario.crm.limits.page = 40;
    for (let at = 0; at < 100; at += 1) person(at);
    const job = await scenario.done({ jobType: 'pull' });
    expect(job).toMatchObject({
      status: 'completed',
      progress: 100,
      totalRecords: 100,
      processedRecords: 100,
      importedCount: 100,
      pushedCount: 0,
      apiCalls: 3,
      counts: { created: 100, updated: 0, unchanged: 0, conflict: 0, skipped: 0, failed: 0 },
    });
    const leads = await scenario.leads();
    expect(leads).toHaveLength(100);
    expect(leads[0]).toMatchObject({ email: address(0), firstName: 'First 0', companyName: 'Acme', status: 'active' });
    expect(await scenario.connection()).toMatchObject({
      totalPulled: 100,
      totalPushed: 0,
      lastSyncAt: expect.any(Date) as unknown,
    });
    expect(await scenario.events('crm.sync_completed')).toHaveLength(1);
    expect(await fixture.series(`outreach_crm_syncs_total{crm="${job.crmType}",outcome="completed"}`)).toBe(1);
  });

  it('push leads to the CRM with few requests', async () => {
    await scenario.add(...Array.from({ length: 250 }, (_, at) => ({ email: address(at), firstName: `First ${at}` })));
    const job = await scenario.done({ jobType: 'push' });
    expect(job).toMatchObject({ status: 'completed', pushedCount: 250, importedCount: 0, apiCalls: 6 });
    expect(scenario.crm.store.size).toBe(250);
    expect(scenario.crm.store.withEmail(address(7))[0]?.fields).toEqual({ first: 'First 7', stage: 'new' });
    expect((await scenario.connection()).totalPushed).toBe(250);
  });

  it('do not return their own changes: ten rounds after both sides agree write nothing', async () => {
    for (let at = 0; at < 5; at += 1) person(at);
    await scenario.add({ email: address(3), lastName: 'Hopper' }, { email: address(7), firstName: 'Ada' });
    await scenario.done({ jobType: 'pull', full: true });
    await scenario.done({ jobType: 'push' });
    const leads = await scenario.leads();
    const people = [...scenario.crm.store.people()].map((one) => ({ ...one, fields: { ...one.fields } }));
    const writes = scenario.crm.calls.filter((call) => call === 'write').length;
    for (let round = 0; round < ROUNDS; round += 1) {
      const pulled = await scenario.done({ jobType: 'pull', full: round % 2 === 0 });
      const pushed = await scenario.done({ jobType: 'push' });
      expect(pulled.counts).toMatchObject({ created: 0, updated: 0, conflict: 0, failed: 0, skipped: 0 });
      expect(pushed).toMatchObject({ apiCalls: 0, counts: { unchanged: 6, created: 0, updated: 0, conflict: 0 } });
    }
    expect(await scenario.leads()).toEqual(leads);
    expect([...scenario.crm.store.people()]).toEqual(people);
    expect(scenario.crm.calls.filter((call) => call === 'write')).toHaveLength(writes);
  });
});
