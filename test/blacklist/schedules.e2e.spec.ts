import { type SeededWorkspace, expectFormA, expectFormB } from '../harness';
import { dataOf, ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Blacklists, LISTED, type ListedTest } from './blacklists';

interface Schedule {
  _id: string;
  nextAt: string;
  lastTestId: string;
}

const DAY_MS = 86_400_000;

describe('the schedules of blacklist tests', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    lists = await Blacklists.start();
  });
  afterAll(() => lists.close());
  beforeEach(async () => {
    workspace = await lists.platform.seed.workspace();
  });

  const api = () => lists.platform.api.as(workspace.key);
  const schedules = async () => dataOf<Schedule[]>(await api().get('/v1/blacklist-schedules'));
  const tests = async () => dataOf<ListedTest[]>(await api().get('/v1/blacklist-tests'));
  const listings = async () => {
    const events = dataOf<{ data: { testId: string } }[]>(await api().get('/v1/events?type=mailbox.blacklisted'));
    return events.map(({ data }) => data.testId);
  };
  /** Advances the clock by days and runs what is due. */
  async function pass(days: number): Promise<void> {
    lists.platform.clock.advance(days * DAY_MS + 60_000);
    await lists.platform.tick();
    await lists.platform.drain();
    await lists.platform.drain();
  }

  it('repeat a test until the schedule is deleted, and record one event when a mailbox becomes listed', async () => {
    const mailbox = await lists.mailbox(workspace, 'turning.example');
    const body = { testName: 'Weekly', mailboxIds: [mailbox._id], schedule: { everyDays: 7 } };
    const first = await lists.create(workspace, body);
    await lists.over(workspace, first._id);
    expect(await schedules()).toEqual([
      {
        _id: first.scheduleId,
        testName: 'Weekly',
        mailboxIds: [mailbox._id],
        everyDays: 7,
        nextAt: ISO,
        lastTestId: first._id,
        userId: workspace.owner.userId,
        createdAt: ISO,
      },
    ]);
    expect(await listings()).toEqual([]);
    lists.dns.zone.change({ 'turning.example.dbl.test': LISTED });
    await pass(6);
    expect(await tests()).toHaveLength(1);
    await pass(1);
    const [second, ...others] = await tests();
    expect(others).toHaveLength(1);
    expect(await lists.over(workspace, second!._id)).toMatchObject({
      testName: 'Weekly',
      scheduleId: first.scheduleId,
      overallSummary: { totalChecked: 1, clean: 0, blacklisted: 1 },
    });
    expect(await listings()).toEqual([second!._id]);
    await pass(7);
    const [third] = await tests();
    await lists.over(workspace, third!._id);
    expect(third!._id).not.toBe(second!._id);
    expect(await listings()).toEqual([second!._id]);
    await api()
      .delete(`/v1/blacklist-schedules/${first.scheduleId}`)
      .expect(200, {
        success: true,
        data: { message: 'Blacklist schedule deleted' },
      });
    expect(await schedules()).toEqual([]);
    await pass(8);
    expect(await tests()).toHaveLength(3);
  });

  it('answer 404 Form B to an unknown id, a malformed id and another workspace’s schedule', async () => {
    const other = await lists.platform.seed.workspace();
    const mailbox = await lists.mailbox(other, 'acme.example');
    const theirs = await lists.create(other, { mailboxIds: [mailbox._id], schedule: { everyDays: 1 } });
    expect(theirs.scheduleId).toEqual(ID);
    for (const id of [theirs.scheduleId!, UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await api().delete(`/v1/blacklist-schedules/${id}`), 404, 'NOT_FOUND');
    }
    expect(await schedules()).toEqual([]);
    const key = await lists.platform.seed.workspaceKey(other.workspaceId, ['read']);
    expectFormA(await lists.platform.api.as(key).delete(`/v1/blacklist-schedules/${theirs.scheduleId}`), 403);
  });
});
