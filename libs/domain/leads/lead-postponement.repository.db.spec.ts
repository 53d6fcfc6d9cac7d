import { type WorkspaceScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { LeadPostponementRepository } from './lead-postponement.repository';
import { DueLeadRepository } from './due-lead.repository';
import { LeadRecord } from './schemas/lead.record';
import { LeadsFixture } from './testing/leads-fixture';

const DAY_MS = 86_400_000;

let fixture: LeadsFixture;
let leads: Model<LeadRecord>;
let workspace: WorkspaceScope;
let campaignId: string;
let until: Date;

beforeAll(async () => {
  fixture = await LeadsFixture.open();
  leads = fixture.model<LeadRecord>(LeadRecord);
});
afterAll(() => fixture.database.close());
beforeEach(async () => {
  workspace = await fixture.workspace();
  campaignId = await fixture.campaign(workspace);
  until = fixture.database.clock.in(DAY_MS);
});

const service = () => fixture.get(LeadPostponementRepository);
const workspaceId = () => new Types.ObjectId(workspace.workspaceId);
const settings = (revision: number) => ({ _id: new Types.ObjectId(campaignId), workspaceId: workspaceId(), revision });
const stored = (_id: string) => leads.findOne({ workspaceId: workspaceId(), _id }).orFail().lean<LeadRecord>();
const added = async () => (await fixture.add(workspace, campaignId, ['ada@acme.test']))[0]!;
const postpone = async (_id: string, to: Date, revision: number) =>
  service().postpone(await stored(_id), { until: to, reason: 'campaign_window', revision });

it('a postponed lead keeps the due time of its step, however often it is postponed', async () => {
  const lead = await added();
  const { dueAt, updatedAt } = await stored(lead);
  await postpone(lead, until, 3);
  await postpone(lead, new Date(until.getTime() + DAY_MS), 4);
  expect(await stored(lead)).toMatchObject({
    dueAt: new Date(until.getTime() + DAY_MS),
    postponement: { dueAt, until: new Date(until.getTime() + DAY_MS), reason: 'campaign_window', revision: 4 },
    updatedAt,
  });
});

it('later settings free it, and the settings that postponed it do not', async () => {
  const lead = await added();
  const { dueAt } = await stored(lead);
  await postpone(lead, until, 3);
  expect(await service().free(settings(3))).toEqual({ freed: 0, isDone: true });
  expect((await stored(lead)).dueAt).toEqual(until);
  expect(await service().free(settings(4))).toEqual({ freed: 1, isDone: true });
  const free = await stored(lead);
  expect(free.dueAt).toEqual(dueAt);
  expect(free).not.toHaveProperty('postponement');
  expect(await service().free(settings(5))).toEqual({ freed: 0, isDone: true });
});

it('a due time that was set since remains: a retry, or the delay of a step', async () => {
  const lead = await added();
  await postpone(lead, until, 3);
  const retryAt = new Date(until.getTime() + 1);
  await leads.updateOne({ workspaceId: workspaceId(), _id: lead }, { $set: { dueAt: retryAt } });
  await service().free(settings(4));
  const kept = await stored(lead);
  expect(kept.dueAt).toEqual(retryAt);
  expect(kept).not.toHaveProperty('postponement');
});

it('a claimed lead loses its postponement, and a paused lead is not freed', async () => {
  const lead = await added();
  await postpone(lead, until, 3);
  await leads.updateOne({ workspaceId: workspaceId(), _id: lead }, { $set: { status: 'paused' } });
  expect(await service().free(settings(4))).toEqual({ freed: 0, isDone: true });
  await leads.updateOne({ workspaceId: workspaceId(), _id: lead }, { $set: { status: 'active' } });
  const claim = { sendId: new Types.ObjectId(), sender: new Types.ObjectId() };
  expect(await fixture.get(DueLeadRepository).reserve(await stored(lead), claim)).toBe(true);
  expect(await stored(lead)).not.toHaveProperty('postponement');
});

it('leads of another campaign or workspace stay postponed', async () => {
  const lead = await added();
  await postpone(lead, until, 3);
  await service().free({ ...settings(4), _id: new Types.ObjectId(await fixture.campaign(workspace)) });
  await service().free({ ...settings(4), workspaceId: new Types.ObjectId() });
  expect((await stored(lead)).dueAt).toEqual(until);
});

it('many leads are freed in bounded steps, each of which continues after the last one', async () => {
  const lead = await added();
  await postpone(lead, until, 3);
  const { _id: _one, ...like } = await stored(lead);
  const copies = Array.from({ length: 2_100 }, (_each, at) => ({ ...like, email: `copy-${at}@acme.test` }));
  await leads.insertMany(copies);
  expect(await service().free(settings(4))).toEqual({ freed: 2_000, isDone: false });
  expect(await service().free(settings(4))).toEqual({ freed: 101, isDone: true });
  expect(await leads.countDocuments({ workspaceId: workspaceId(), campaignId, dueAt: until })).toBe(0);
});
