import { CampaignsService } from '@domain/campaigns';
import { EventRecord } from '@domain/events';
import { LeadActionsService } from '@domain/leads';
import { MailboxDeletionService } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { sampleData } from '../../events/testing';
import { refused } from '../testing/scripted-server';
import { HOUR, SendingFixture } from '../testing/sending-fixture';
import { CampaignCountersRebuildService } from './campaign-counters-rebuild.service';

interface Share {
  workspaceId: string;
  campaignId: string;
  mailboxId: string | null;
}

describe('the rebuild of campaign counters', () => {
  let fixture: SendingFixture;
  let mailboxId: string;
  let campaignId: string;

  beforeAll(async () => {
    fixture = await SendingFixture.open();
  });
  afterAll(() => fixture.close());

  beforeEach(async () => {
    await fixture.fresh();
    mailboxId = await fixture.mailbox();
    const leads = ['ann@leads.test', 'bob@leads.test', 'cid@leads.test'];
    campaignId = await fixture.campaign([mailboxId], leads);
    await fixture.run(mailboxId);
  });

  const rebuild = (isCheck: boolean, campaign?: string) =>
    fixture.get(CampaignCountersRebuildService).run(fixture.workspaceId, { isCheck, campaignId: campaign });
  const shares = () => fixture.model<Share>({ name: 'CampaignMailboxRecord' });
  const ofMailbox = () => ({ workspaceId: fixture.workspaceId, campaignId, mailboxId });

  it('finds no difference after emails were sent, because the engine counts in the same transactions', async () => {
    expect(await fixture.sums(campaignId)).toMatchObject({ stats: { sent: 3 }, leads: { active: 3 } });
    expect(await rebuild(true)).toEqual({ campaigns: 1, differences: [] });
  });

  it('finds no difference after another mailbox took over the leads of a removed one and an attempted lead was deleted', async () => {
    const other = await fixture.mailbox();
    await fixture.leads(campaignId, ['dora@leads.test']);
    fixture.server.answers.push(refused('permanent', 'handover', '552 5.3.4 message too large'));
    await fixture.run(mailboxId);
    const leadIds = [String((await fixture.lead('dora@leads.test'))._id)];
    await fixture.get(LeadActionsService).run(fixture.workspace, campaignId, { action: 'remove', leadIds });
    await fixture.get(CampaignsService).update(fixture.workspace, campaignId, { mailboxes: [other] });
    fixture.clock.advance(24 * HOUR);
    await fixture.run(other);
    expect(await fixture.lead('ann@leads.test')).toMatchObject({ mailboxId: new Types.ObjectId(other), sentCount: 2 });
    expect(await rebuild(true)).toEqual({ campaigns: 1, differences: [] });
  });

  it('finds no difference after the mailbox of leads was deleted and another one took them over', async () => {
    const other = await fixture.mailbox();
    await fixture.get(CampaignsService).update(fixture.workspace, campaignId, { mailboxes: [mailboxId, other] });
    await fixture.get(MailboxDeletionService).delete(fixture.workspace, mailboxId, { force: 'true' });
    fixture.clock.advance(24 * HOUR);
    await fixture.run(other);
    expect(await fixture.lead('ann@leads.test')).toMatchObject({ mailboxId: new Types.ObjectId(other), sentCount: 2 });
    expect(await rebuild(true)).toEqual({ campaigns: 1, differences: [] });
  });

  it('reports differences and leaves them if it only checks', async () => {
    await shares().updateOne(ofMailbox(), { $inc: { 'stats.sent': 4, newLeads: -1 } });
    const differences = [
      { campaignId, mailboxId, figure: 'newLeads', is: 2, shouldBe: 3 },
      { campaignId, mailboxId, figure: 'stats.sent', is: 7, shouldBe: 3 },
    ];
    expect(await rebuild(true)).toEqual({ campaigns: 1, differences });
    expect(await rebuild(true, campaignId)).toEqual({ campaigns: 1, differences });
  });

  it('corrects stats, steps, leads and new leads, after which nothing differs', async () => {
    const right = await fixture.sums(campaignId);
    const step = Object.keys(right.steps)[0]!;
    await shares().updateOne(ofMailbox(), {
      $inc: { 'stats.delivered': -2, 'stats.bounced': 1, [`steps.${step}.sent`]: 5, 'leads.active': 9, newLeads: 1 },
    });
    expect((await rebuild(false)).differences).toHaveLength(5);
    expect(await fixture.sums(campaignId)).toEqual(right);
    expect(await rebuild(true)).toEqual({ campaigns: 1, differences: [] });
  });

  it('restores missing shares', async () => {
    const right = await fixture.sums(campaignId);
    await shares().deleteMany({ workspaceId: fixture.workspaceId, campaignId });
    await rebuild(false, campaignId);
    expect(await fixture.sums(campaignId)).toEqual(right);
  });

  it('recounts one campaign without reading others, and refuses an unknown one', async () => {
    const other = await fixture.campaign([mailboxId], ['dora@leads.test']);
    const share = { workspaceId: fixture.workspaceId, campaignId: other, mailboxId: null };
    await shares().updateOne(share, { $inc: { 'leads.paused': 1 } });
    expect((await rebuild(true, campaignId)).differences).toEqual([]);
    const paused = { campaignId: other, mailboxId: null, figure: 'leads.paused', is: 1, shouldBe: 0 };
    expect((await rebuild(true)).differences).toEqual([paused]);
    await expect(rebuild(true, new Types.ObjectId().toHexString())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ignores records of another workspace', async () => {
    const before = fixture.workspaceId;
    await fixture.fresh();
    const { workspaceId } = fixture;
    await fixture.model<EventRecord>(EventRecord).collection.insertOne({
      workspaceId: new Types.ObjectId(workspaceId),
      type: 'email.sent',
      dedupeKey: 'x',
      at: new Date(),
      mailboxId: new Types.ObjectId(mailboxId),
      campaignId: new Types.ObjectId(campaignId),
      data: sampleData('email.sent'),
    });
    expect(await fixture.get(CampaignCountersRebuildService).run(before, { isCheck: true })).toEqual({
      campaigns: 1,
      differences: [],
    });
    expect(await rebuild(true)).toEqual({ campaigns: 0, differences: [] });
  });
});
