import { CrmSyncFixture } from '../testing/crm-sync-fixture';
import { type SyncScenario } from '../testing/sync-scenario';
import { MAX_ATTEMPTS } from './written-plan';

const ADDRESSES = ['ada@example.com', 'bob@example.com', 'cleo@example.com'];

describe('a push that resolves people without a result', () => {
  let fixture: CrmSyncFixture;
  let scenario: SyncScenario;

  beforeAll(async () => {
    fixture = await CrmSyncFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    scenario = await fixture.fresh();
    await scenario.add(...ADDRESSES.map((email) => ({ email })));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await scenario.violations()).toEqual([]);
  });

  const everybodyIsMade = async () => {
    const { id } = await scenario.sync({ jobType: 'push' });
    // The first run gets no response; later runs get only refusals.
    for (let runs = 0; runs < 2 * MAX_ATTEMPTS; runs += 1) {
      await scenario.runPartition();
      fixture.clock.advance(130_000);
    }
    expect(await scenario.read(id)).toMatchObject({
      status: 'completed',
      processedRecords: 3,
      counts: { created: 3, failed: 0 },
    });
    expect((await scenario.results(id)).toSorted()).toEqual(ADDRESSES.map((email) => `${email} created`));
    expect(scenario.crm.store.size).toBe(3);
    expect((await scenario.links()).every(({ waitingFor }) => waitingFor === undefined)).toBe(true);
  };

  it.each(['rate_limited', 'unreachable', 'quota'] as const)(
    'retries the resolution while the CRM is %s',
    async (fails) => {
      scenario.crm.next('cut', 'write');
      scenario.crm.next({ fails }, 'write');
      await everybodyIsMade();
    },
  );

  it.each(['lost', 'cut'] as const)('distinguishes found people from created people (%s)', async (fate) => {
    const [ada = ''] = ADDRESSES;
    scenario.crm.store.add({ emails: [ada], fields: { company: 'Acme' } });
    await scenario.add({ email: 'dora@example.com', firstName: 'Dora' });
    scenario.crm.next(fate, 'write');
    const { id } = await scenario.done({ jobType: 'push' });
    const of = (await scenario.results(id)).filter((one) => one.startsWith(ada));
    expect(of).toEqual([expect.not.stringContaining('created')]);
    expect(scenario.crm.store.size).toBe(4);
  });

  it('does not count a refused request as an attempt', async () => {
    scenario.crm.next('cut', 'write');
    for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) scenario.crm.next({ fails: 'rate_limited' }, 'write');
    scenario.crm.next('cut', 'write');
    await everybodyIsMade();
  });
});
