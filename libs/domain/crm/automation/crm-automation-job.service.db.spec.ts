import { HookRegistry } from '@platform/hooks';
import { type WorkspaceScope, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { UsersService, WorkspaceRepository, WorkspacesService } from '@domain/identity';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { ADA, ActivityFixture, newId } from '../activity/testing/activity-fixture';
import { CRM_CONNECTION_HOOKS } from '../connections/crm-connection-hooks';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmAutomationJobService } from './crm-automation-job.service';
import { CrmAutomationService } from './crm-automation.service';
import { SetCrmAutomationRequest } from './dto/crm-automation-requests.dto';
import { CrmDuePushRecord } from './schemas/crm-due-push.record';

const MINUTE_MS = 60_000;
const forever = new AbortController().signal;
let fixture: ActivityFixture;

beforeAll(async () => {
  fixture = await ActivityFixture.open();
});
beforeEach(() => fixture.fresh());
afterAll(() => fixture.close());

const run = () => fixture.get(CrmAutomationJobService).run(forever);
const scope = (): WorkspaceScope => systemScope(fixture.workspaceId.toHexString());
const set = (input: Partial<SetCrmAutomationRequest>) =>
  fixture.get(CrmAutomationService).set(scope(), 'hubspot', Object.assign(new SetCrmAutomationRequest(), input));
const finish = () =>
  fixture
    .model<CrmSyncJobRecord>(CrmSyncJobRecord)
    .updateMany({ workspaceId: fixture.workspaceId }, { $set: { open: false, status: 'completed' } });

/** Creates a workspace with a campaign. */
async function withCampaign(): Promise<string> {
  const user = await fixture.get(UsersService).create({ email: `${String(newId())}@example.com`, name: 'Owner' });
  const { actor } = scope();
  const { id } = await fixture.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, actor);
  fixture.workspaceId = new Types.ObjectId(id);
  const { _id } = await fixture.get(CampaignsService).create(scope(), { name: 'Autumn' });
  return _id;
}

describe('a push after events', () => {
  beforeEach(async () => {
    await fixture.connect();
    await fixture.configure({ activities: [], pushOn: ['email.positive_reply'] });
  });

  it('covers all leads with an event within a minute', async () => {
    const leadIds = [
      await fixture.happen(ADA, 'email.positive_reply'),
      await fixture.happen(ADA, 'email.positive_reply'),
    ];
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    await run();
    expect(await fixture.jobs()).toEqual([]);
    fixture.clock.advance(MINUTE_MS);
    await Promise.all([run(), run()]);
    const jobs = await fixture.jobs();
    expect(jobs).toMatchObject([{ jobType: 'push', trigger: 'event', crmType: 'hubspot', status: 'pending' }]);
    expect(jobs[0]?.leadIds?.map(String).toSorted()).toEqual(leadIds.toSorted());
    expect(await fixture.model(CrmDuePushRecord).countDocuments({ workspaceId: fixture.workspaceId })).toBe(0);
  });

  it('waits while the previous push is open, and loses no lead meanwhile', async () => {
    await fixture.happen(ADA, 'email.positive_reply');
    await fixture.relay();
    fixture.clock.advance(MINUTE_MS);
    await run();
    const later = await fixture.happen(ADA, 'email.positive_reply');
    await fixture.relay();
    fixture.clock.advance(MINUTE_MS);
    await run();
    expect(await fixture.jobs()).toHaveLength(1);
    await finish();
    fixture.clock.advance(MINUTE_MS);
    await run();
    expect((await fixture.jobs()).at(-1)?.leadIds?.map(String)).toEqual([later]);
  });

  it('waits for a lost connection, reports it in the settings, and runs afterwards', async () => {
    await fixture
      .model(CrmSyncJobRecord)
      .db.collection('crm_connections')
      .deleteMany({ workspaceId: fixture.workspaceId });
    const leadId = await fixture.happen(ADA, 'email.positive_reply');
    await fixture.relay();
    fixture.clock.advance(MINUTE_MS);
    await run();
    expect(await fixture.automation()).toMatchObject({ problem: expect.stringContaining('not connected') });
    await fixture.connect();
    await run();
    expect(await fixture.jobs()).toEqual([]);
    fixture.clock.advance(MINUTE_MS);
    await run();
    expect((await fixture.jobs())[0]?.leadIds?.map(String)).toEqual([leadId]);
    expect(await fixture.automation()).toMatchObject({ problem: null });
  });
});

describe('a deleted workspace that may be restored', () => {
  it('does not block other workspaces, and continues after its restoration', async () => {
    await withCampaign();
    await fixture.connect();
    await set({ pushOn: ['email.replied'], push: { everyMinutes: 15 } });
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    fixture.clock.advance(15 * MINUTE_MS);
    const alive = jest.spyOn(fixture.get(WorkspaceRepository), 'filterAlive').mockResolvedValueOnce(new Set());
    alive.mockResolvedValueOnce(new Set());
    await run();
    expect(await fixture.jobs()).toEqual([]);
    const due = { workspaceId: fixture.workspaceId, dueAt: { $lte: fixture.clock.now() } };
    expect(await fixture.model(CrmDuePushRecord).countDocuments(due)).toBe(0);
    expect((await fixture.automation())!.nextAt!.getTime()).toBeGreaterThan(fixture.clock.now().getTime());
    fixture.clock.advance(15 * MINUTE_MS);
    await run();
    expect((await fixture.jobs()).map(({ trigger }) => trigger).toSorted()).toEqual(['event', 'schedule']);
  });
});

describe('scheduled syncs', () => {
  it('start at their times, once for all missed times, with any number of workers', async () => {
    const campaignId = await withCampaign();
    await fixture.connect();
    const { pull, push } = await set({ pull: { everyMinutes: 60, campaignId }, push: { everyMinutes: 30 } });
    expect(Date.parse(pull!.nextAt) - Date.parse(push!.nextAt)).toBe(30 * MINUTE_MS);
    fixture.clock.advance(29 * MINUTE_MS);
    await run();
    expect(await fixture.jobs()).toEqual([]);
    fixture.clock.advance(MINUTE_MS);
    await Promise.all([run(), run()]);
    expect(await fixture.jobs()).toMatchObject([{ jobType: 'push', trigger: 'schedule', leadIds: null }]);
    await finish();
    fixture.clock.advance(600 * MINUTE_MS);
    await run();
    await run();
    const [, ...missed] = await fixture.jobs();
    expect(missed.map(({ jobType }) => jobType).toSorted()).toEqual(['pull', 'push']);
    expect(String(missed.find(({ jobType }) => jobType === 'pull')?.campaignId)).toBe(campaignId);
    const after = await fixture.automation();
    expect(after!.nextAt).toEqual(after!.push!.nextAt);
    expect(after!.nextAt!.getTime()).toBeGreaterThan(fixture.clock.now().getTime());
  });

  it('pull no people after a restore until a new sync is requested; pushes continue', async () => {
    const campaignId = await withCampaign();
    await fixture.connect();
    await set({ pull: { everyMinutes: 60, campaignId }, push: { everyMinutes: 30 } });
    fixture.clock.advance(60 * MINUTE_MS);
    await run();
    const setAside = () => fixture.get(CrmAutomationService).reconcile(scope(), fixture.clock.now());
    expect(await setAside()).toBe(2);
    const statuses = Object.fromEntries((await fixture.jobs()).map(({ jobType, status }) => [jobType, status]));
    expect(statuses).toEqual({ pull: 'cancelled', push: 'pending' });
    const { pull, push, nextAt, problem } = (await fixture.automation())!;
    expect({ pull, nextAt, problem }).toEqual({
      pull: null,
      nextAt: push?.nextAt,
      problem: expect.stringContaining('restored from a backup') as string,
    });
    expect(await setAside()).toBe(0);
    await set({ pull: { everyMinutes: 60, campaignId } });
    expect(await fixture.automation()).toMatchObject({ problem: null, pull: { everyMinutes: 60 } });
    await set({ pull: { everyMinutes: 60, campaignId }, push: null });
    await setAside();
    expect((await fixture.automation())!.nextAt).toBeUndefined();
  });

  it('are not started again while one is open', async () => {
    await withCampaign();
    await fixture.connect();
    await set({ push: { everyMinutes: 15 } });
    fixture.clock.advance(15 * MINUTE_MS);
    await run();
    fixture.clock.advance(15 * MINUTE_MS);
    await run();
    expect(await fixture.jobs()).toHaveLength(1);
    expect((await fixture.automation())!.push!.nextAt.getTime()).toBeGreaterThan(fixture.clock.now().getTime());
  });

  it('report why they cannot start, and are retried at their next time', async () => {
    await withCampaign();
    await fixture.connect('disconnected');
    await set({ push: { everyMinutes: 15 } });
    fixture.clock.advance(15 * MINUTE_MS);
    await run();
    await run();
    expect(await fixture.jobs()).toEqual([]);
    const waiting = await fixture.automation();
    expect(waiting).toMatchObject({ problem: expect.stringContaining('not connected') });
    const { beganAt, nextAt } = waiting!.push!;
    expect(nextAt.getTime() - beganAt.getTime()).toBe(30 * MINUTE_MS);
  });

  it('keep their schedule when the same settings are saved again', async () => {
    await withCampaign();
    await fixture.connect();
    const first = await set({ push: { everyMinutes: 60 } });
    fixture.clock.advance(20 * MINUTE_MS);
    const second = await set({ push: { everyMinutes: 60 }, activities: ['email.sent'] });
    expect(second.push).toEqual(first.push);
  });
});

describe('the settings', () => {
  it('are empty at first for a connected CRM', async () => {
    await fixture.connect();
    const nothing = { activities: [], pushOn: [], campaignIds: [], createPeople: false, pull: null, push: null };
    const shown = await fixture.get(CrmAutomationService).get(scope(), 'hubspot');
    expect(shown).toEqual({ crmType: 'hubspot', ...nothing, problem: null, backfill: null, updatedAt: null });
  });

  it.each(['attio', 'sugar', ''])('do not exist for %p, which is not connected or not a CRM', async (type) => {
    await fixture.connect();
    await expect(fixture.get(CrmAutomationService).get(scope(), type)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const setting = fixture.get(CrmAutomationService).set(scope(), type, new SetCrmAutomationRequest());
    await expect(setting).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['campaignIds', 'pull.campaignId'])('refuse a campaign of another workspace in %s', async (field) => {
    const stranger = await withCampaign();
    await withCampaign();
    await fixture.connect();
    const input =
      field === 'campaignIds' ? { campaignIds: [stranger] } : { pull: { everyMinutes: 60, campaignId: stranger } };
    await expect(set(input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
    expect(await fixture.automation()).toBeNull();
  });

  it('are replaced as a whole, and exclude events before the first subscription', async () => {
    await fixture.connect();
    await set({ activities: ['email.sent'] });
    const since = (await fixture.automation())!.since.getTime();
    fixture.clock.advance(MINUTE_MS);
    await set({ activities: ['email.sent', 'email.replied'] });
    expect((await fixture.automation())!.since.getTime()).toBe(since);
    await set({});
    fixture.clock.advance(MINUTE_MS);
    const again = await set({ pushOn: ['email.replied'] });
    expect(again).toMatchObject({ activities: [], pushOn: ['email.replied'] });
    expect((await fixture.automation())!.since.getTime()).toBeGreaterThanOrEqual(since + 2 * MINUTE_MS);
  });

  it('are those of one of sixty concurrent requests, all of which succeed', async () => {
    await fixture.connect();
    const wanted = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'email.sent' : 'email.replied'));
    await Promise.all(wanted.map((event) => set({ activities: [event as 'email.sent'] })));
    expect((await fixture.automation())!.activities).toHaveLength(1);
  });

  it('are deleted with the connection, and survive a refused login', async () => {
    await fixture.connect();
    await set({ pushOn: ['email.replied'] });
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    const told = (why: 'refused' | 'removed') =>
      fixture
        .get(TransactionService)
        .run(() =>
          fixture.get(HookRegistry).call(CRM_CONNECTION_HOOKS, 'disconnected', scope().workspaceId, 'hubspot', why),
        );
    await told('refused');
    expect(await fixture.automation()).not.toBeNull();
    await told('removed');
    expect(await fixture.automation()).toBeNull();
    expect(await fixture.model(CrmDuePushRecord).countDocuments({ workspaceId: fixture.workspaceId })).toBe(0);
  });
});
