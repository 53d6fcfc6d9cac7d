import { type EventRecord } from '@domain/events';
import { type MailboxLeaseRecord, type SendRecord } from '@domain/sends';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ISO, UNKNOWN_ID } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readCampaign, readyCampaign } from './campaigns';

describe('POST /v1/campaigns/:campaignId/pause, /resume and /archive', () => {
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

  const model = <T>(name: string) => platform.app.get<Model<T>>(getModelToken(name), { strict: false });
  const move = (name: string, id = campaign._id, key = workspace.key) =>
    platform.api.as(key).post(`/v1/campaigns/${id}/${name}`);
  const status = async () => dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id)).status;
  const activate = () => activated(platform, workspace.workspaceId, campaign._id);
  const events = async () => {
    const { workspaceId } = workspace;
    const ofCampaign = { workspaceId, campaignId: campaign._id };
    const found = await model<EventRecord>('EventRecord').find(ofCampaign).sort({ _id: 1 }).lean();
    return found.map(({ type }) => type);
  };

  it('pauses and resumes an active campaign, with an event and an audit entry', async () => {
    await activate();
    expect(dataOf(await move('pause').expect(200))).toEqual({
      ...campaign,
      status: 'paused',
      startedAt: ISO,
      updatedAt: ISO,
    });
    expect(dataOf(await move('resume').expect(200))).toMatchObject({ status: 'active', completedAt: null });
    expect(await status()).toBe('active');
    expect(await events()).toEqual(['campaign.started', 'campaign.paused', 'campaign.resumed']);
    expect((await auditedActions(platform, workspace)).slice(0, 3)).toEqual([
      'campaign.resumed',
      'campaign.paused',
      'campaign.started',
    ]);
  });

  it('refuses a transition that the status does not allow, and names the status; archives a draft and a paused campaign', async () => {
    const refuses = async (is: string, ...names: string[]) => {
      for (const name of names) {
        const response = await move(name);
        expectFormB(response, 409, 'CONFLICT');
        expect(response.text).toContain(`This campaign is ${is}; only`);
      }
      expect(await status()).toBe(is);
    };
    const archives = async () => {
      expect(dataOf(await move('archive').expect(200))).toMatchObject({ status: 'archived' });
      await refuses('archived', 'pause', 'resume', 'archive');
    };
    await refuses('draft', 'pause', 'resume');
    await activate();
    await refuses('active', 'resume', 'archive');
    await move('pause').expect(200);
    await refuses('paused', 'pause');
    await archives();
    campaign = await newCampaign(platform, workspace);
    await archives();
    const actions = await auditedActions(platform, workspace);
    expect(actions.filter((action) => action === 'campaign.archived')).toHaveLength(2);
  });

  it('accepts one of two parallel pauses', async () => {
    await activate();
    const statuses = (await Promise.all([move('pause'), move('pause')])).map((response) => response.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await events()).filter((type) => type === 'campaign.paused')).toHaveLength(1);
  });

  it('withholds the campaign’s claimed sends, and no others, before a pause is acknowledged', async () => {
    await activate();
    const sends = model<SendRecord>('SendRecord');
    const claimed = (campaignId: Types.ObjectId): Partial<SendRecord> => ({
      workspaceId: new Types.ObjectId(workspace.workspaceId),
      campaignId,
      leadId: new Types.ObjectId(),
      stepId: new Types.ObjectId(),
      stepOrder: 0,
      variantId: new Types.ObjectId(),
      sequenceVersion: 1,
      mailboxId: new Types.ObjectId(campaign.mailboxes[0]),
      email: 'ada@example.com',
      state: 'claimed',
      fence: 1,
      messageId: '<x@example.com>',
      claimedAt: new Date(),
    });
    const mine = await sends.create(claimed(new Types.ObjectId(campaign._id)));
    const other = await sends.create(claimed(new Types.ObjectId()));
    await move('pause').expect(200);
    const stateOf = async ({ _id }: { _id: Types.ObjectId }) =>
      (await sends.findOne({ workspaceId: workspace.workspaceId, _id }).lean())?.state;
    expect([await stateOf(mine), await stateOf(other)]).toEqual(['withheld', 'claimed']);
  });

  it('schedules the mailboxes when a campaign is resumed, and refuses to resume a campaign without one', async () => {
    await activate();
    await move('pause').expect(200);
    const leases = model<MailboxLeaseRecord>('MailboxLeaseRecord');
    const ofMailbox = { workspaceId: workspace.workspaceId, _id: new Types.ObjectId(campaign.mailboxes[0]) };
    await leases.updateOne(ofMailbox, { $unset: { nextAt: 1 } });
    await move('resume').expect(200);
    expect((await leases.findOne(ofMailbox).lean())?.nextAt).toBeInstanceOf(Date);
    // A campaign without a mailbox is not resumed.
    await move('pause').expect(200);
    await platform.api.as(workspace.key).patch(`/v1/campaigns/${campaign._id}`).send({ mailboxes: [] }).expect(200);
    expectFormB(await move('resume'), 409, 'CONFLICT');
    expect(await status()).toBe('paused');
  });

  it('answers 404 Form B to an unknown id and another workspace’s campaign, 403 to a read-only key', async () => {
    const foreign = await newCampaign(platform, await platform.seed.workspace());
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    for (const name of ['pause', 'resume', 'archive', 'duplicate']) {
      for (const id of [UNKNOWN_ID, 'x', foreign._id]) expectFormB(await move(name, id), 404, 'NOT_FOUND');
      expectFormA(await move(name, campaign._id, readOnly), 403, 'permission');
    }
  });
});
