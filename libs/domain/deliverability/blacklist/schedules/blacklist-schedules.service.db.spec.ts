import { type WorkspaceScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
import { MailboxDeletionService } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { BlacklistTestsService } from '../runs/blacklist-tests.service';
import { BlacklistScheduleRecord } from '../schemas/blacklist-schedule.record';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistFixture, FOREVER } from '../testing/blacklist-fixture';
import { BlacklistSchedulesService } from './blacklist-schedules.service';

const DAY_MS = 86_400_000;
const PAGE = { limit: 25 };

describe('a schedule of blacklist tests', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;
  let mailbox: string;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    fixture.clock.freeze(new Date('2026-11-21T08:00:00Z'));
    await fixture
      .model<BlacklistScheduleRecord>(BlacklistScheduleRecord)
      .deleteMany({})
      .setOptions({ allWorkspaces: 'a test' });
    workspace = await fixture.workspace();
    mailbox = await fixture.mailbox(workspace, 'a@acme.example', 'google');
  });

  const begin = (everyDays: number, ...mailboxIds: string[]) =>
    fixture.get(BlacklistTestsService).create(workspace, { testName: 'Weekly', mailboxIds, schedule: { everyDays } });
  const run = () => fixture.get(BlacklistSchedulesService).runDue(FOREVER);
  const schedules = async () => (await fixture.get(BlacklistSchedulesService).list(workspace, PAGE)).items;
  const tests = async () => (await fixture.get(BlacklistTestsService).list(workspace, PAGE)).items;

  it('starts a test at once and at each due time, once for any number of workers', async () => {
    const first = await begin(7, mailbox);
    const [schedule] = await schedules();
    expect(schedule).toMatchObject({
      testName: 'Weekly',
      mailboxIds: [mailbox],
      everyDays: 7,
      nextAt: '2026-11-28T08:00:00.000Z',
      lastTestId: first._id,
      userId: workspace.actor.userId,
    });
    expect(first.scheduleId).toBe(schedule!._id);
    fixture.clock.advance(7 * DAY_MS - 1);
    await run();
    expect(await tests()).toHaveLength(1);
    fixture.clock.advance(1);
    await Promise.all([run(), run(), run()]);
    const [second, ...others] = await tests();
    expect(others).toHaveLength(1);
    expect(second).toMatchObject({ testName: 'Weekly', status: 'pending' });
    expect(await fixture.read(workspace, second!._id)).toMatchObject({
      scheduleId: schedule!._id,
      mailboxIds: [mailbox],
    });
    expect(await schedules()).toMatchObject([{ nextAt: '2026-12-05T08:00:00.000Z', lastTestId: second!._id }]);
  });

  it('catches up on missed times with one test', async () => {
    await begin(1, mailbox);
    fixture.clock.advance(5.5 * DAY_MS);
    await run();
    await run();
    expect(await tests()).toHaveLength(2);
    expect(await schedules()).toMatchObject([{ nextAt: '2026-11-27T08:00:00.000Z' }]);
  });

  it('continues without deleted mailboxes, and ends when none is left', async () => {
    const other = await fixture.mailbox(workspace, 'b@acme.example', 'google');
    await begin(1, mailbox, other);
    await fixture.get(MailboxDeletionService).delete(workspace, mailbox, {});
    fixture.clock.advance(DAY_MS);
    await run();
    expect((await fixture.read(workspace, (await tests())[0]!._id)).mailboxIds).toEqual([other]);
    await fixture.get(MailboxDeletionService).delete(workspace, other, {});
    fixture.clock.advance(DAY_MS);
    await run();
    expect(await tests()).toHaveLength(2);
    expect(await schedules()).toEqual([]);
  });

  it('waits while the workspace is at its limit of tests or is deleted', async () => {
    await begin(1, mailbox);
    for (let made = 1; made < 5; made += 1) await fixture.begin(workspace, mailbox);
    fixture.clock.advance(DAY_MS);
    await run();
    expect(await tests()).toHaveLength(5);
    expect(await schedules()).toMatchObject([{ nextAt: '2026-11-22T09:00:00.000Z' }]);
    const where = { workspaceId: workspace.workspaceId };
    await fixture.model<BlacklistTestRecord>(BlacklistTestRecord).updateMany(where, { open: false });
    fixture.clock.advance(DAY_MS);
    const alive = jest.spyOn(fixture.get(WorkspaceRepository), 'filterAlive').mockResolvedValue(new Set());
    await run();
    alive.mockRestore();
    expect(await tests()).toHaveLength(5);
    fixture.clock.advance(DAY_MS);
    await run();
    expect(await tests()).toHaveLength(6);
    // A delayed test does not delay the next one, which starts at the time of day of the first.
    expect(await schedules()).toMatchObject([{ nextAt: expect.stringMatching(/T08:00:00\.000Z$/) as unknown }]);
  });

  it('names each test by its day, unless it has a name', async () => {
    const schedule = { everyDays: 1 };
    const first = await fixture.get(BlacklistTestsService).create(workspace, { mailboxIds: [mailbox], schedule });
    expect(await schedules()).toMatchObject([{ testName: null }]);
    fixture.clock.advance(DAY_MS);
    await run();
    expect(first.testName).toBe('Blacklist test 2026-11-21');
    expect((await tests()).map(({ testName }) => testName)).toEqual([
      'Blacklist test 2026-11-22',
      'Blacklist test 2026-11-21',
    ]);
  });

  it('is deleted permanently, and only by its own workspace', async () => {
    await begin(1, mailbox);
    const [schedule] = await schedules();
    const service = fixture.get(BlacklistSchedulesService);
    await expect(service.delete(await fixture.workspace(), schedule!._id)).rejects.toThrow(
      'Blacklist schedule not found',
    );
    await service.delete(workspace, schedule!._id);
    await expect(service.delete(workspace, schedule!._id)).rejects.toThrow('not found');
    fixture.clock.advance(2 * DAY_MS);
    await run();
    expect(await tests()).toHaveLength(1);
  });

  it('is limited to twenty per workspace', async () => {
    await begin(1, mailbox);
    const records = fixture.model<BlacklistScheduleRecord>(BlacklistScheduleRecord);
    const like: object = await records.findOne({ workspaceId: workspace.workspaceId }).lean().orFail();
    await records.insertMany(Array.from({ length: 19 }, () => ({ ...like, _id: new Types.ObjectId() })));
    await expect(begin(1, mailbox)).rejects.toThrow(/20 schedules/);
    // Its first test was not created either.
    expect(await tests()).toHaveLength(1);
  });

  it('is found by an index when it is due', async () => {
    const plan = await fixture
      .model<BlacklistScheduleRecord>(BlacklistScheduleRecord)
      .find({ nextAt: { $lte: new Date() } })
      .sort({ nextAt: 1, _id: 1 })
      .setOptions({ allWorkspaces: 'a test' })
      .explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"nextAt_1__id_1"');
  });
});
