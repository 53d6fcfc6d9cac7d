import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { activated, newCampaign } from './campaigns';
import { campaignWithLeads, WEDNESDAY } from './insight';

interface Diagnostics {
  status: string;
  leads: Record<string, number>;
  waiting: { reason: string; count: number; capped: boolean }[];
  stopped: { reason: string; count: number; capped: boolean }[];
  mailboxes: { _id: string; available: boolean; reason: string | null; nextEligibleAt: string | null }[];
  lastHealthySendAt: string | null;
  problem: { code: string; message: string; at: string } | null;
  constraint: { reason: string; message: string } | null;
  nextEligibleAt: string | null;
}
type Fields = Record<string, unknown>;

describe('GET /v1/campaigns/:campaignId/diagnostics', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    platform.clock.freeze(WEDNESDAY);
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const get = (id: string, key = workspace.key) => platform.api.as(key).get(`/v1/campaigns/${id}/diagnostics`);
  const diagnosed = async (id: string) => dataOf<Diagnostics>(await get(id).expect(200));
  const model = (name: string) => platform.app.get<Model<Fields>>(getModelToken(name), { strict: false });
  const set = (name: string, _id: string, fields: Fields) =>
    model(name).updateOne({ workspaceId: workspace.workspaceId, _id }, { $set: fields });
  const LATER = new Date('2026-11-28T06:30:00.000Z');

  it('reports no limit for a campaign that sends', async () => {
    const { _id, mailboxes } = await campaignWithLeads(platform, workspace, 3);
    await activated(platform, workspace.workspaceId, _id);
    expect(await diagnosed(_id)).toEqual({
      status: 'active',
      leads: { total: 3, active: 3, paused: 0, completed: 0, bounced: 0, removed: 0 },
      waiting: [{ reason: 'due', message: expect.any(String) as string, count: 3, capped: false }],
      stopped: [],
      mailboxes: [expect.objectContaining({ _id: mailboxes[0], available: true, reason: null, nextEligibleAt: null })],
      lastHealthySendAt: null,
      problem: null,
      constraint: null,
      nextEligibleAt: WEDNESDAY.toISOString(),
    });
  });

  it('counts leads by what they wait for and why they stopped, and shows the last successful send', async () => {
    const { _id, mailboxes, leads } = await campaignWithLeads(platform, workspace, 6);
    await activated(platform, workspace.workspaceId, _id);
    const mailboxId = new Types.ObjectId(mailboxes[0]);
    await set('LeadRecord', leads[0]!, { mailboxId, sentCount: 1, dueAt: LATER });
    await set('LeadRecord', leads[1]!, { mailboxId, dueAt: null, sendId: new Types.ObjectId() });
    await set('LeadRecord', leads[2]!, { status: 'completed', stopReason: 'replied', dueAt: null });
    await set('LeadRecord', leads[3]!, { status: 'completed', stopReason: 'replied', dueAt: null });
    await set('LeadRecord', leads[4]!, { status: 'paused', stopReason: 'manual' });
    for (const [at, state] of ['sent', 'failed'].entries()) {
      await model('SendRecord').create({
        workspaceId: workspace.workspaceId,
        campaignId: _id,
        leadId: leads[at],
        stepId: new Types.ObjectId(),
        stepOrder: 0,
        variantId: new Types.ObjectId(),
        sequenceVersion: 1,
        mailboxId,
        email: 'a@b.test',
        state,
        fence: 1,
        messageId: '<a@b>',
        claimedAt: WEDNESDAY,
        sentAt: state === 'sent' ? WEDNESDAY : null,
      });
    }
    const { waiting, stopped, lastHealthySendAt } = await diagnosed(_id);
    const counts = (all: Diagnostics['waiting']) => Object.fromEntries(all.map(({ reason, count }) => [reason, count]));
    expect(counts(waiting)).toEqual({ due: 1, step_delay: 1, in_flight: 1 });
    expect(counts(stopped)).toEqual({ replied: 2, manual: 1 });
    expect(lastHealthySendAt).toBe(WEDNESDAY.toISOString());
  });

  it('names the mailbox that can send first, and why each mailbox cannot send now', async () => {
    const { _id, mailboxes } = await campaignWithLeads(platform, workspace, 1);
    const second = await seededMailbox(platform, workspace.workspaceId);
    const both = [mailboxes[0]!, second._id];
    await platform.api.as(workspace.key).patch(`/v1/campaigns/${_id}`).send({ mailboxes: both }).expect(200);
    await activated(platform, workspace.workspaceId, _id);
    await set('MailboxLeaseRecord', both[0]!, { lastSentAt: WEDNESDAY });
    await platform.api.as(workspace.key).post(`/v1/mailboxes/${both[1]}/pause`).expect(200);
    const answer = await diagnosed(_id);
    const inAMinute = '2026-11-25T06:31:00.000Z';
    expect(answer.mailboxes).toEqual([
      expect.objectContaining({ _id: both[0], available: false, reason: 'mailbox_gap', nextEligibleAt: inAMinute }),
      expect.objectContaining({ _id: both[1], available: false, reason: 'mailbox_paused', nextEligibleAt: null }),
    ]);
    expect(answer).toMatchObject({ constraint: { reason: 'mailbox_gap' }, nextEligibleAt: inAMinute });
  });

  it('reports that all leads wait for the next step, and when it is due', async () => {
    const { _id, mailboxes, leads } = await campaignWithLeads(platform, workspace, 1);
    await activated(platform, workspace.workspaceId, _id);
    await set('LeadRecord', leads[0]!, { mailboxId: new Types.ObjectId(mailboxes[0]), sentCount: 1, dueAt: LATER });
    expect(await diagnosed(_id)).toMatchObject({
      constraint: { reason: 'step_delay' },
      nextEligibleAt: LATER.toISOString(),
    });
  });

  it('reports a draft, a campaign without a mailbox, and a problem', async () => {
    const draft = await campaignWithLeads(platform, workspace, 1);
    expect(await diagnosed(draft._id)).toMatchObject({ status: 'draft', constraint: { reason: 'campaign_draft' } });
    const empty = await newCampaign(platform, workspace);
    expect(await diagnosed(empty._id)).toMatchObject({ mailboxes: [], constraint: { reason: 'no_sender' } });
    const problem = { code: 'content_refused', message: 'Too large', at: WEDNESDAY };
    await set('CampaignRecord', draft._id, { problem });
    expect((await diagnosed(draft._id)).problem).toEqual({ ...problem, at: WEDNESDAY.toISOString() });
  });

  it('answers 404 for an unknown campaign', async () => {
    const cases: readonly string[] = [UNKNOWN_ID, ...MALFORMED_IDS];
    for (const id of cases) {
      expectFormB(await get(id), 404, 'NOT_FOUND');
    }
  });

  it('answers 404 for another workspace’s campaign, and accepts a read-only key', async () => {
    const { _id } = await campaignWithLeads(platform, workspace, 1);
    const other = await platform.seed.workspace();
    expectFormB(await get(_id, other.key), 404, 'NOT_FOUND');
    await get(_id, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])).expect(200);
    expectFormA(await platform.api.get(`/v1/campaigns/${_id}/diagnostics`), 401);
  });
});
