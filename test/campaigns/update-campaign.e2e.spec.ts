import { CampaignCountersService, type CampaignRecord } from '@domain/campaigns';
import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { auditedActions, dataOf, ISO, newMember, UNKNOWN_ID } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readCampaign, readyCampaign, type Step } from './campaigns';

describe('PATCH /v1/campaigns/:campaignId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let campaign: Campaign;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  beforeEach(async () => {
    campaign = await readyCampaign(platform, workspace);
  });
  afterAll(() => platform.close());

  const patch = (body: object, id = campaign._id, key = workspace.key) =>
    platform.api.as(key).patch(`/v1/campaigns/${id}`).send(body);
  const read = async () => dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id));
  const steps = async () =>
    dataOf<{ version: number; sequence: Step[] }>(
      await platform.api.as(workspace.key).get(`/v1/campaigns/${campaign._id}/sequence`),
    );
  const revision = async () => {
    const campaigns = platform.app.get<Model<CampaignRecord>>(getModelToken('CampaignRecord'), { strict: false });
    const { workspaceId } = workspace;
    return (await campaigns.findOne({ workspaceId, _id: campaign._id }).lean())?.revision;
  };

  it('changes the given fields and leaves the rest', async () => {
    const changes = { name: 'Winter', trackOpens: true, stopOnReply: false, emailIntervalMinutes: 30 };
    const expected = {
      ...campaign,
      ...changes,
      sendingSchedule: { ...campaign.sendingSchedule, timezone: 'Europe/Berlin', workingDays: [1, 3] },
      updatedAt: ISO,
    };
    const sendingSchedule = { timezone: 'Europe/Berlin', workingDays: [3, 1] };
    expect(dataOf(await patch({ ...changes, sendingSchedule, dailyLimit: 9 }))).toEqual(expected);
    expect(await read()).toEqual(expected);
    const settings = () => platform.api.as(workspace.key).get(`/v1/campaigns/${campaign._id}/settings`);
    expect(dataOf(await settings())).toMatchObject({ dailyLimit: 9, newLeadsPerDay: null });
    await patch({ dailyLimit: null }).expect(200);
    expect(dataOf(await settings())).toMatchObject({ dailyLimit: null });
  });

  it('writes one audit entry per change and raises the revision, and does neither when nothing changes', async () => {
    const updates = async () =>
      (await auditedActions(platform, workspace)).filter((action) => action === 'campaign.updated').length;
    const [before, updatesBefore] = [(await revision())!, await updates()];
    await patch({ name: 'Winter' }).expect(200);
    await patch({ name: 'Winter', mailboxes: campaign.mailboxes, sequence: campaign.sequence }).expect(200);
    await patch({}).expect(200);
    expect((await updates()) - updatesBefore).toBe(1);
    expect(await revision()).toBe(before + 1);
    expect((await steps()).version).toBe(1);
  });

  it('adds and removes mailboxes, and keeps the figures of removed ones', async () => {
    const [first] = campaign.mailboxes;
    const { _id: second } = await seededMailbox(platform, workspace.workspaceId);
    const counters = platform.app.get(CampaignCountersService, { strict: false });
    await counters.count(workspace.workspaceId, campaign._id, first!, { stats: { sent: 4 } });
    expect(dataOf(await patch({ mailboxes: [second] }))).toMatchObject({ mailboxes: [second], stats: { sent: 4 } });
    const shares = platform.app.get<Model<{ mailboxId: unknown; assigned: boolean }>>(
      getModelToken('CampaignMailboxRecord'),
      { strict: false },
    );
    const assigned = async () => {
      const found = await shares.find({ workspaceId: workspace.workspaceId, campaignId: campaign._id }).lean();
      return Object.fromEntries(found.map(({ mailboxId, assigned }) => [String(mailboxId), assigned]));
    };
    expect(await assigned()).toEqual({ [first!]: false, [second]: true });
    await patch({ mailboxes: [first, second] }).expect(200);
    expect(await assigned()).toEqual({ [first!]: true, [second]: true });
  });

  it('publishes a sequence in the simple form: steps keep their ids by position, and the values that are not given', async () => {
    const before = await steps();
    const sequence = [
      { ...campaign.sequence[0], body: '<p>Other</p>' },
      campaign.sequence[1],
      { body: '<p>Third</p>' },
    ];
    expect(dataOf(await patch({ sequence }))).toMatchObject({
      sequence: [
        { subject: 'Hello {{firstName}}', body: '<p>Other</p>' },
        { body: '<p>Second</p>' },
        { name: 'Step 3', order: 2, body: '<p>Third</p>' },
      ],
    });
    const after = await steps();
    expect(after.version).toBe(2);
    expect(after.sequence.slice(0, 2).map(({ _id }) => _id)).toEqual(before.sequence.map(({ _id }) => _id));
    expect(after.sequence[0]!.variants[0]!._id).toBe(before.sequence[0]!.variants[0]!._id);
    expect(after.sequence[2]!.delay).toEqual({ value: 3, unit: 'days', workingDaysOnly: false });
  });

  it('keeps the other variants of a step when the simple form changes the first', async () => {
    const variants = [
      { subject: 'A', body: '<p>A</p>', weight: 2 },
      { subject: 'B', body: '<p>B</p>' },
    ];
    await patch({ sequence: [{ variants }] }).expect(200);
    await patch({ sequence: [{ subject: 'A2', body: '<p>A</p>' }] }).expect(200);
    expect((await steps()).sequence[0]!.variants).toMatchObject([
      { name: 'A', subject: 'A2', weight: 2 },
      { name: 'B', subject: 'B', weight: 1 },
    ]);
  });

  it('refuses invalid input with VALIDATION_ERROR, names the field and changes nothing', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ status: 'active' }, 'status'],
      [{ userId: UNKNOWN_ID }, 'userId'],
      [{ stats: {} }, 'stats'],
      [{ leadCounts: {} }, 'leadCounts'],
      [{ name: null }, 'name'],
      [{ mailboxes: null }, 'mailboxes'],
      [{ mailboxes: [UNKNOWN_ID] }, 'mailboxes.0'],
      [{ sendingSchedule: { startTime: '17:00' } }, 'sendingSchedule.endTime'],
      [{ sendingSchedule: { startTime: '7:00' } }, 'sendingSchedule.startTime'],
      [{ sequence: [] }, 'sequence'],
      [{ sequence: [{ subject: '' }] }, 'sequence.0.subject'],
      [{ sequence: [{ body: '{{' }] }, 'sequence.0.body'],
      [{ emailIntervalMinutes: 1.5 }, 'emailIntervalMinutes'],
      [{ domainDailyLimit: 0 }, 'domainDailyLimit'],
    ];
    await inEachRow(cases, async ([body, field]) =>
      expectFormB(await patch({ name: 'Winter', ...body }), 400, 'VALIDATION_ERROR', field),
    );
    expect(await read()).toEqual(campaign);
    expect((await steps()).version).toBe(1);
  });

  it('accepts changes to an active campaign, except the removal of its last mailbox; an archived one stays unchanged', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    expect(dataOf(await patch({ name: 'Winter' }))).toMatchObject({ status: 'active', name: 'Winter' });
    expectFormB(await patch({ mailboxes: [] }), 409, 'CONFLICT');
    const draft = await newCampaign(platform, workspace);
    await platform.api.as(workspace.key).post(`/v1/campaigns/${draft._id}/archive`).expect(200);
    const refused = await patch({ name: 'Winter' }, draft._id);
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain('archived');
  });

  it('keeps both of two parallel changes', async () => {
    await Promise.all([patch({ name: 'Winter' }), patch({ trackClicks: true }), patch({ dailyLimit: 5 })]);
    expect(await read()).toMatchObject({ name: 'Winter', trackClicks: true });
    expect(await revision()).toBe(4);
  });

  it('accepts a member and rejects a read-only key; answers 404 Form B to an unknown id', async () => {
    const member = await newMember(platform, workspace);
    const { workspaceId } = workspace;
    const asMember = platform.api.as(member.key).in(workspaceId);
    await asMember.patch(`/v1/campaigns/${campaign._id}`).send({ name: 'By member' }).expect(200);
    const readOnly = await platform.seed.workspaceKey(workspaceId, ['read']);
    expectFormA(await patch({}, campaign._id, readOnly), 403, 'permission');
    const foreign = await newCampaign(platform, await platform.seed.workspace());
    for (const id of [UNKNOWN_ID, 'x', foreign._id]) expectFormB(await patch({}, id), 404, 'NOT_FOUND');
  });
});
