import { type WorkspaceScope } from '@domain/access';
import { WorkspaceDeletionService } from '@domain/identity';
import { QueuesService, RedisClient } from '@platform/queues';
import { eventually } from '@testing';
import { ReportRecipientsService } from '../recipients/report-recipients.service';
import { DAY_MS, MINUTE_MS, MONDAY, ReportsFixture, SUNDAY } from '../testing/reports-fixture';
import { ReportDeliveryService } from './report-delivery.service';
import { ReportScheduleService } from './report-schedule.service';
import { ReportQueue } from './report.queue';

const NEXT = new Date(MONDAY.getTime() + 7 * DAY_MS);

describe('scheduled reports', () => {
  let fixture: ReportsFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await ReportsFixture.open();
    const { client } = fixture.get(RedisClient);
    await eventually('Redis is connected', () => client.status === 'ready');
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.clock.freeze(SUNDAY);
    await fixture.recipients.deleteMany({}).setOptions({ allWorkspaces: 'each test begins with none' });
    await fixture.reports.deleteMany({}).setOptions({ allWorkspaces: 'each test begins with none' });
    workspace = await fixture.workspace();
    await fixture.get(QueuesService).obliterate();
  });

  const jobs = () => fixture.get(QueuesService).get('report-delivery').getJobs(['waiting', 'delayed', 'prioritized']);

  it('are created together with the next time, and not before', async () => {
    const recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(new Date(MONDAY.getTime() - 1));
    await fixture.plan();
    expect(await fixture.stored(workspace)).toEqual([]);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
    expect(await fixture.one(workspace)).toMatchObject({
      key: 'weekly 2026-11-16 2026-11-22',
      period: { frequency: 'weekly', first: '2026-11-16', last: '2026-11-22', timezone: 'UTC' },
      trigger: 'schedule',
      state: 'planned',
      dueAt: MONDAY,
      expiresAt: NEXT,
      attempts: 0,
    });
    const { nextScheduledAt, updatedAt } = await fixture.recipientOf(workspace, recipientId);
    expect([nextScheduledAt, updatedAt]).toEqual([NEXT, SUNDAY]);
    expect(await jobs()).toHaveLength(1);
  });

  it('are created once by ten concurrent workers', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push(await fixture.recipient(workspace));
    fixture.clock.freeze(MONDAY);
    await Promise.all(Array.from({ length: 10 }, () => fixture.plan()));
    const stored = await fixture.stored(workspace);
    expect(stored.map(({ recipientId }) => recipientId.toHexString()).toSorted()).toEqual(ids.toSorted());
  });

  it('are created once a period, also if the time of day moves to later on the same day', async () => {
    const recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
    const changed = await fixture
      .get(ReportRecipientsService)
      .update(workspace, recipientId, { schedule: { timeOfDay: '18:00' } });
    expect(changed.schedule.nextScheduledAt).toBe('2026-11-30T18:00:00.000Z');
    fixture.clock.freeze(new Date('2026-11-23T18:00:00Z'));
    await fixture.plan();
    expect(await fixture.stored(workspace)).toHaveLength(1);
  });

  it('are created once a period whatever the recipient’s record says: reports have a unique key', async () => {
    const recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
    await fixture.recipients.updateOne(
      { workspaceId: workspace.workspaceId, _id: recipientId },
      { nextScheduledAt: MONDAY },
    );
    await fixture.plan();
    const [report] = await fixture.stored(workspace);
    expect(await fixture.stored(workspace)).toHaveLength(1);
    const { _id: _old, ...again } = report!;
    await expect(fixture.reports.create(again)).rejects.toThrow('E11000');
  });

  it('that were missed are replaced by the latest one alone', async () => {
    await fixture.recipient(workspace);
    fixture.clock.freeze(new Date(MONDAY.getTime() + 23 * DAY_MS));
    await fixture.plan();
    expect(await fixture.one(workspace)).toMatchObject({ key: 'weekly 2026-12-07 2026-12-13' });
  });

  it('are not created while the clock is before them, even after it was set back', async () => {
    await fixture.recipient(workspace);
    fixture.clock.freeze(NEXT);
    await fixture.plan();
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
    expect(await fixture.stored(workspace)).toHaveLength(1);
  });

  it.each([
    ['not active', { active: false }],
    ['without a schedule', { schedule: { enabled: false } }],
  ])('are not created for a recipient that is %s', async (_why, input) => {
    const recipientId = await fixture.recipient(workspace, input);
    expect((await fixture.recipientOf(workspace, recipientId)).nextScheduledAt).toBeNull();
    fixture.clock.freeze(NEXT);
    await fixture.plan();
    expect(await fixture.stored(workspace)).toEqual([]);
  });

  it('wait while the workspace is deleted, and are created when it is restored', async () => {
    const recipientId = await fixture.recipient(workspace);
    await fixture.get(WorkspaceDeletionService).delete(workspace);
    fixture.clock.freeze(MONDAY);
    await fixture.plan();
    expect(await fixture.stored(workspace)).toEqual([]);
    const { nextScheduledAt } = await fixture.recipientOf(workspace, recipientId);
    expect(nextScheduledAt).toEqual(new Date(MONDAY.getTime() + 60 * MINUTE_MS));
  });

  it('are not enqueued before they exist: a transaction that fails leaves no job and no report', async () => {
    const recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    const create = jest.spyOn(fixture.reports, 'create').mockRejectedValueOnce(new Error('The worker crashed'));
    await expect(fixture.plan()).rejects.toThrow('crashed');
    create.mockRestore();
    expect((await fixture.recipientOf(workspace, recipientId)).nextScheduledAt).toEqual(MONDAY);
    expect([await fixture.stored(workspace), await jobs()]).toEqual([[], []]);
    await fixture.plan();
    expect(await fixture.stored(workspace)).toHaveLength(1);
  });

  it('are created and enqueued although an earlier one fails, which the next run creates', async () => {
    const ids = [await fixture.recipient(workspace), await fixture.recipient(workspace)];
    fixture.clock.freeze(MONDAY);
    jest.spyOn(fixture.reports, 'create').mockRejectedValueOnce(new Error('Out of order'));
    await expect(fixture.plan()).rejects.toThrow('Out of order');
    expect([(await fixture.stored(workspace)).length, (await jobs()).length]).toEqual([1, 1]);
    await fixture.plan();
    const begun = (await fixture.stored(workspace)).map(({ recipientId }) => recipientId.toHexString());
    expect(begun.toSorted()).toEqual(ids.toSorted());
  });

  it('are not lost if the schedule changes between their due time and their creation', async () => {
    const recipientId = await fixture.recipient(workspace);
    fixture.clock.freeze(new Date(MONDAY.getTime() + 10_000));
    await fixture.get(ReportRecipientsService).update(workspace, recipientId, { schedule: { timeOfDay: '07:00' } });
    await fixture.plan();
    expect(await fixture.one(workspace)).toMatchObject({ key: 'weekly 2026-11-16 2026-11-22' });
    const { nextScheduledAt } = await fixture.recipientOf(workspace, recipientId);
    expect(nextScheduledAt).toEqual(new Date('2026-11-30T07:00:00Z'));
  });

  it('get their jobs again if the worker crashed right after their creation, or Redis was emptied', async () => {
    await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    jest.spyOn(fixture.get(ReportQueue), 'enqueue').mockRejectedValueOnce(new Error('The worker crashed'));
    await expect(fixture.plan()).rejects.toThrow('crashed');
    fixture.clock.advance(MINUTE_MS);
    expect(await fixture.get(ReportDeliveryService).sweep()).toBe(1);
    expect(await fixture.get(ReportDeliveryService).sweep()).toBe(0);
    await fixture.get(QueuesService).obliterate();
    expect(await fixture.get(ReportDeliveryService).sweep()).toBe(1);
  });

  it('are left to the next run if the worker is told to stop', async () => {
    await fixture.recipient(workspace);
    fixture.clock.freeze(MONDAY);
    const stopping = AbortSignal.abort(new Error('stop'));
    await expect(fixture.get(ReportScheduleService).run(stopping)).rejects.toThrow('stop');
    expect(await fixture.stored(workspace)).toEqual([]);
  });
});
