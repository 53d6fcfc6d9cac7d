import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { MailModule } from '@adapters/mail';
import { EventRecord } from '@domain/events';
import { getModelToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import {
  CampaignCountersService,
  CampaignsService,
  CampaignRepository,
  CampaignsModule,
  CampaignStatusService,
  SequenceVersionService,
} from '.';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';

let database: TestDatabase;
let workspace: WorkspaceScope;
let serial = 0;

beforeAll(async () => {
  database = await openTestDatabase({ imports: [QueuesModule, MailModule, UsersModule, CampaignsModule] });
});
beforeEach(async () => {
  serial += 1;
  const user = await get(UsersService).create({ email: `owner-${serial}@example.com`, name: 'Owner' });
  const by = systemActor('operator');
  workspace = systemScope((await get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by)).id);
});
afterAll(() => database.close());

function get<T>(service: abstract new (...args: never[]) => T): T {
  return database.module.get<T>(service, { strict: false });
}

function model<T>(record: { name: string }): Model<T> {
  return database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
}

const created = (more: object = {}) => get(CampaignsService).create(workspace, { name: 'Autumn', ...more });
const sequence = [{ subject: 'Hello {{firstName}}', body: '<p>x</p>' }];

/** The counters of a new campaign. */
const BY_PEOPLE = { sent: 0, delivered: 0, opened: 0, clicked: 0, replied: 0, bounced: 0, unsubscribed: 0 };
const FURTHER = { machineOpened: 0, machineClicked: 0, autoReplied: 0, positiveReplied: 0, complained: 0 };
const NOTHING = { ...BY_PEOPLE, ...FURTHER };

describe('the counters of a campaign', () => {
  const campaignId = new Types.ObjectId();
  const [one, other] = [new Types.ObjectId(), new Types.ObjectId()];
  const stepId = new Types.ObjectId().toHexString();
  const counted = async (id = campaignId) =>
    (await get(CampaignCountersService).sum(workspace.workspaceId, [id])).get(id.toHexString())!;

  it('are the sum over its mailboxes and of counts without a mailbox', async () => {
    const counters = get(CampaignCountersService);
    const { workspaceId } = workspace;
    await counters.count(workspaceId, campaignId, null, { leads: { total: 9, active: 9 }, stats: { opened: 2 } });
    await counters.count(workspaceId, campaignId, one, {
      stats: { sent: 2 },
      steps: { [stepId]: { sent: 2 } },
      leads: { active: -1, completed: 1 },
      newLeads: 2,
    });
    await counters.count(workspaceId, campaignId.toHexString(), other.toHexString(), {
      stats: { sent: 3, bounced: 1 },
      steps: { [stepId]: { sent: 3, bounced: 1 } },
      leads: { active: -1, bounced: 1 },
    });
    expect(await counted()).toEqual({
      stats: { ...NOTHING, sent: 5, opened: 2, bounced: 1 },
      leads: { total: 9, active: 7, paused: 0, completed: 1, bounced: 1, removed: 0 },
      steps: { [stepId]: { sent: 5, opened: 0, clicked: 0, bounced: 1 } },
    });
    expect((await counted(new Types.ObjectId())).leads.total).toBe(0);
    const foreign = await counters.sum(new Types.ObjectId().toHexString(), [campaignId]);
    expect(foreign.get(campaignId.toHexString())?.stats.sent).toBe(0);
  });

  it('are exact under concurrent increments, and unchanged when their transaction fails', async () => {
    const counters = get(CampaignCountersService);
    const { workspaceId } = workspace;
    const many = Array.from({ length: 8 }, (_, index) =>
      counters.count(workspaceId, campaignId, index % 2 ? null : one, { stats: { sent: 1 } }),
    );
    await Promise.all(many);
    const failing = get(TransactionService).run(async () => {
      await counters.count(workspaceId, campaignId, null, { stats: { sent: 1 } });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect((await counted()).stats.sent).toBe(8);
  });

  it('keep leads.total without a mailbox, where the workspace sums it', async () => {
    const counters = get(CampaignCountersService);
    const { workspaceId } = workspace;
    await expect(counters.count(workspaceId, campaignId, one, { leads: { total: 1 } })).rejects.toThrow(
      'without a mailbox',
    );
    await counters.count(workspaceId, campaignId, null, { leads: { total: 4, active: 4 } });
    await counters.count(workspaceId, new Types.ObjectId(), null, { leads: { total: 3, active: 3 } });
    await counters.count(new Types.ObjectId(), campaignId, null, { leads: { total: 100, active: 100 } });
    expect(await counters.countLeadsOfWorkspace(workspaceId)).toBe(7);
    expect(await counters.countLeadsOfWorkspace(new Types.ObjectId())).toBe(0);
  });

  it('record the last use of a mailbox, and ignore empty increments', async () => {
    const counters = get(CampaignCountersService);
    const { workspaceId } = workspace;
    const at = new Date('2026-05-01T10:00:00Z');
    await counters.count(workspaceId, campaignId, one, { stats: { sent: 0 } });
    const shares = model<CampaignMailboxRecord>(CampaignMailboxRecord);
    expect(await shares.countDocuments({ workspaceId, campaignId })).toBe(0);
    await counters.count(workspaceId, campaignId, one, { newLeads: 1, served: { lastServedAt: at, nextAt: null } });
    expect(await shares.findOne({ workspaceId, campaignId }).lean()).toMatchObject({
      lastServedAt: at,
      nextAt: null,
      newLeads: 1,
      assigned: false,
      steps: {},
    });
  });
});

describe('an active campaign', () => {
  const transitions = () => get(CampaignStatusService);
  const eventsOf = async (campaignId: string) => {
    const ofCampaign = { workspaceId: workspace.workspaceId, campaignId };
    const found = await model<EventRecord>(EventRecord).find(ofCampaign).sort({ at: 1, _id: 1 }).lean();
    return found.map(({ type }) => type);
  };

  it('keeps the time of its first start, and clears the reason of its stop', async () => {
    const { _id } = await created();
    database.clock.freeze(new Date('2026-05-01T10:00:00Z'));
    const { after } = await transitions().activate(workspace, _id);
    expect(after).toMatchObject({ status: 'active', revision: 2, startedAt: new Date('2026-05-01T10:00:00Z') });
    const why = { code: 'bounce_rate', message: 'Too many bounces' };
    expect(await transitions().stop(workspace, _id, why)).toMatchObject({ after: { status: 'paused' } });
    expect(await transitions().stop(workspace, _id, why)).toBeNull();
    const stopped = await get(CampaignRepository).find(workspace, _id);
    expect(stopped).toMatchObject({ status: 'paused', problem: why });
    database.clock.advance(1_000);
    const again = await transitions().activate(workspace, _id);
    expect(again.after).toMatchObject({ status: 'active', problem: null, startedAt: after.startedAt });
    expect(await eventsOf(_id)).toEqual(['campaign.started', 'campaign.paused', 'campaign.started']);
  });

  it('is not started when it changed since it was read', async () => {
    const { _id } = await created();
    const { revision } = await get(CampaignRepository).find(workspace, _id);
    await get(CampaignsService).update(workspace, _id, { name: 'Winter' });
    await expect(transitions().activate(workspace, _id, revision)).rejects.toMatchObject({ code: 'CONFLICT' });
    await transitions().activate(workspace, _id, revision + 1);
  });

  it('completes, unless leads were added since the count, and becomes active again when leads are added', async () => {
    const { _id } = await created();
    const { leadsRevision } = (await transitions().activate(workspace, _id)).after;
    const campaigns = get(CampaignRepository);
    expect((await campaigns.onLeadsAdded(workspace.workspaceId, _id)).status).toBe('active');
    expect(await transitions().complete(workspace, _id, leadsRevision)).toBe(false);
    expect(await transitions().complete(workspace, _id, leadsRevision + 1)).toBe(true);
    expect(await transitions().complete(workspace, _id, leadsRevision + 1)).toBe(false);
    expect(await campaigns.find(workspace, _id)).toMatchObject({
      status: 'completed',
      completedAt: expect.any(Date) as unknown,
    });
    const { status, completedAt } = await campaigns.onLeadsAdded(workspace.workspaceId, _id);
    expect({ status, completedAt }).toEqual({ status: 'active', completedAt: null });
    expect(await eventsOf(_id)).toEqual(['campaign.started', 'campaign.completed', 'campaign.resumed']);
    await expect(campaigns.onLeadsAdded(workspace.workspaceId, new Types.ObjectId())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a published sequence', () => {
  const campaignOf = (id: string) => get(CampaignRepository).find(workspace, id);

  it('is read once, and its templates are compiled once', async () => {
    const { _id } = await created({ sequence });
    const sequences = get(SequenceVersionService);
    const current = (await sequences.findCurrent(await campaignOf(_id)))!;
    const find = jest.spyOn(model<CampaignSequenceRecord>(CampaignSequenceRecord), 'findOne');
    expect(await sequences.getVersion(workspace, _id, 1)).toBe(current);
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
    const variant = current.steps[0]!.variants[0]!._id;
    const templates = current.templates(variant);
    expect(templates.subject.variables).toEqual(['firstName']);
    expect(current.templates(variant.toHexString())).toBe(templates);
    expect(() => current.templates(new Types.ObjectId())).toThrow('has no variant');
  });

  it('is a new version after an edit, while the old version stays readable', async () => {
    const { _id } = await created({ sequence });
    const sequences = get(SequenceVersionService);
    expect(await sequences.findCurrent(await campaignOf((await created())._id))).toBeNull();
    await get(CampaignsService).update(workspace, _id, { sequence: [{ body: '<p>y</p>' }] });
    expect((await sequences.findCurrent(await campaignOf(_id)))?.version).toBe(2);
    expect((await sequences.getVersion(workspace, _id, 1)).steps[0]!.variants[0]!.body).toBe('<p>x</p>');
  });

  it('of another workspace, or that does not exist, is not found', async () => {
    const { _id } = await created({ sequence });
    const sequences = get(SequenceVersionService);
    const stranger = systemScope(new Types.ObjectId().toHexString());
    await expect(sequences.getVersion(stranger, _id, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(sequences.getVersion(workspace, _id, 2)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is evicted from the cache after many others were used', async () => {
    const { _id } = await created({ sequence });
    const sequences = get(SequenceVersionService);
    const kept = await sequences.getVersion(workspace, _id, 1);
    const large = Array.from({ length: 5 }, () => ({ subject: 'x', body: 'y'.repeat(170_000) }));
    let campaignId = new Types.ObjectId((await created({ sequence: large }))._id);
    for (let count = 0; count < 20; count++) {
      await sequences.getVersion(workspace, campaignId.toHexString(), 1);
      // After the eviction, the same version number belongs to another campaign.
      const next = new Types.ObjectId();
      const { collection } = model<CampaignSequenceRecord>(CampaignSequenceRecord);
      expect(await collection.updateOne({ campaignId }, { $set: { campaignId: next } })).toMatchObject({
        modifiedCount: 1,
      });
      campaignId = next;
    }
    expect(await sequences.getVersion(workspace, _id, 1)).not.toBe(kept);
  });
});

describe('the list of campaigns', () => {
  it.each([
    ['all', {}, 20],
    ['those with a status', { status: 'paused' as const }, 1],
    ['those of a mailbox', { mailboxId: '0123456789abcdef01234567' }, 1],
  ])('of %s is read by an index without scanning other workspaces', async (_what, query, found) => {
    const campaigns = model<CampaignRecord>(CampaignRecord);
    const settings = {
      name: 'Autumn',
      sendingSchedule: { timezone: 'UTC', startTime: '09:00', endTime: '17:00', workingDays: [1] },
      trackOpens: false,
      trackClicks: false,
      stopOnReply: true,
      includeUnsubscribeLink: true,
      emailIntervalMinutes: 1,
    };
    const ids = [new Types.ObjectId(workspace.workspaceId), ...Array.from({ length: 20 }, () => new Types.ObjectId())];
    await campaigns.insertMany(
      ids.flatMap((workspaceId) =>
        Array.from({ length: 20 }, (_, index) => ({
          ...settings,
          userId: new Types.ObjectId(),
          workspaceId,
          status: index === 1 ? 'paused' : 'draft',
          mailboxes: index === 2 ? ['0123456789abcdef01234567'] : [],
        })),
      ),
    );
    const find = jest.spyOn(campaigns, 'find');
    const { items } = await get(CampaignsService).list(workspace, { limit: 25, ...query });
    const filter: unknown = find.mock.calls[0]![0];
    find.mockRestore();
    expect(items).toHaveLength(found);
    const plan = await campaigns
      .find(filter as never)
      .sort({ createdAt: -1, _id: -1 })
      .limit(26)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: found } });
  });
});
