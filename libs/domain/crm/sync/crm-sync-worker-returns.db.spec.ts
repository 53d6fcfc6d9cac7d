import { CrmSyncFixture, type SyncWorld } from '../testing/crm-sync-fixture';
import { MAX_ATTEMPTS } from './written-plan';

const ADDRESSES = ['ada@example.com', 'bob@example.com', 'cleo@example.com'];

describe('a push that resolves people without a result', () => {
  let fixture: CrmSyncFixture;
  let world: SyncWorld;

  beforeAll(async () => {
    fixture = await CrmSyncFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    world = await fixture.fresh();
    await world.add(...ADDRESSES.map((email) => ({ email })));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await world.violations()).toEqual([]);
  });

  const everybodyIsMade = async () => {
    const { id } = await world.sync({ jobType: 'push' });
    // The first run gets no response; later runs get only refusals.
    for (let turns = 0; turns < 2 * MAX_ATTEMPTS; turns += 1) {
      await world.turn();
      fixture.clock.advance(130_000);
    }
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      processedRecords: 3,
      counts: { created: 3, failed: 0 },
    });
    expect((await world.results(id)).toSorted()).toEqual(ADDRESSES.map((email) => `${email} created`));
    expect(world.crm.store.size).toBe(3);
    expect((await world.links()).every(({ waitingFor }) => waitingFor === undefined)).toBe(true);
  };

  it.each(['rate_limited', 'unreachable', 'quota'] as const)(
    'retries the resolution while the CRM is %s',
    async (fails) => {
      world.crm.next('cut', 'write');
      world.crm.next({ fails }, 'write');
      await everybodyIsMade();
    },
  );

  it.each(['lost', 'cut'] as const)('distinguishes found people from created people (%s)', async (fate) => {
    const [ada = ''] = ADDRESSES;
    world.crm.store.add({ emails: [ada], fields: { company: 'Acme' } });
    await world.add({ email: 'dora@example.com', firstName: 'Dora' });
    world.crm.next(fate, 'write');
    const { id } = await world.done({ jobType: 'push' });
    const of = (await world.results(id)).filter((one) => one.startsWith(ada));
    expect(of).toEqual([expect.not.stringContaining('created')]);
    expect(world.crm.store.size).toBe(4);
  });

  it('does not count a refused request as an attempt', async () => {
    world.crm.next('cut', 'write');
    for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) world.crm.next({ fails: 'rate_limited' }, 'write');
    world.crm.next('cut', 'write');
    await everybodyIsMade();
  });
});
