import { SuppressionsService } from '@domain/suppressions';
import { systemScope } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { activated, newCampaign } from './campaigns';
import { campaignWithLeads, OPEN_ALWAYS, WEDNESDAY } from './insight';

interface Explanation {
  decision: string;
  reason: string;
  message: string;
  nextEligibleAt: string | null;
  mailbox: { _id: string; email: string } | null;
  limits: { limit: string; used: number | null; max: number | null; until: string | null; binding: boolean }[];
  missing: Record<string, unknown>[];
  history: Record<string, unknown>[];
}
type Fields = Record<string, unknown>;

describe('GET /v1/campaigns/:campaignId/leads/:leadId/explain', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let draft: Awaited<ReturnType<typeof campaignWithLeads>>;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    platform.clock.freeze(WEDNESDAY);
    draft = await campaignWithLeads(platform, workspace, 1);
  });
  afterAll(() => platform.close());

  const get = (campaign: string, lead: string, key = workspace.key) =>
    platform.api.as(key).get(`/v1/campaigns/${campaign}/leads/${lead}/explain`);
  const explained = async (campaign: string, lead: string) =>
    dataOf<Explanation>(await get(campaign, lead).expect(200));
  const model = (name: string) => platform.app.get<Model<Fields>>(getModelToken(name), { strict: false });
  const set = (name: string, _id: string, fields: Fields) =>
    model(name).updateOne({ workspaceId: workspace.workspaceId, _id }, { $set: fields });
  /** An active campaign with two leads. */
  const active = async (more: object = {}) => {
    const campaign = await campaignWithLeads(platform, workspace, 2, more);
    await activated(platform, workspace.workspaceId, campaign._id);
    return { ...campaign, lead: campaign.leads[0]!, mailbox: campaign.mailboxes[0]! };
  };
  const send = (campaign: Awaited<ReturnType<typeof active>>, fields: Fields) =>
    model('SendRecord').create({
      workspaceId: workspace.workspaceId,
      campaignId: campaign._id,
      leadId: campaign.lead,
      stepId: new Types.ObjectId(),
      stepOrder: 0,
      variantId: new Types.ObjectId(),
      sequenceVersion: 1,
      mailboxId: campaign.mailbox,
      email: 'lead0@d0.test',
      fence: 1,
      messageId: '<a@b>',
      claimedAt: WEDNESDAY,
      ...fields,
    });

  it('says that a new lead gets its email at the next run, and from which mailbox', async () => {
    const { _id, lead, mailbox } = await active();
    expect(await explained(_id, lead)).toMatchObject({
      decision: 'send',
      reason: 'due',
      nextEligibleAt: WEDNESDAY.toISOString(),
      limits: [],
      history: [],
      mailbox: { _id: mailbox },
    });
  });

  it('names the mailbox that can write to a new lead first', async () => {
    const { _id, lead, mailbox } = await active();
    const other = await seededMailbox(platform, workspace.workspaceId);
    await platform.api
      .as(workspace.key)
      .patch(`/v1/campaigns/${_id}`)
      .send({ mailboxes: [mailbox, other._id] })
      .expect(200);
    await set('MailboxLeaseRecord', mailbox, { lastSentAt: WEDNESDAY });
    expect(await explained(_id, lead)).toMatchObject({ decision: 'send', mailbox: { _id: other._id } });
  });

  it('names the binding limit and its end, and every other limit that applies', async () => {
    const sendingSchedule = { ...OPEN_ALWAYS.sendingSchedule, startTime: '09:00', endTime: '17:00' };
    const { _id, lead, mailbox } = await active({ sendingSchedule });
    await set('MailboxLeaseRecord', mailbox, { lastSentAt: WEDNESDAY, day: '2026-11-25', dayUsed: 30 });
    const answer = await explained(_id, lead);
    expect(answer).toMatchObject({
      decision: 'wait',
      reason: 'mailbox_day',
      nextEligibleAt: '2026-11-26T09:00:00.000Z',
      message: 'The mailbox has sent as many emails today as its daily limit allows.',
    });
    expect(answer.limits).toEqual([
      expect.objectContaining({
        limit: 'mailbox_day',
        used: 30,
        max: 30,
        until: '2026-11-26T00:00:00.000Z',
        binding: true,
      }),
      expect.objectContaining({ limit: 'mailbox_gap', used: null, max: null, binding: false }),
      expect.objectContaining({ limit: 'campaign_window', until: '2026-11-25T09:00:00.000Z', binding: false }),
    ]);
  });

  it('says when a follow-up is due, from the mailbox that wrote first, with the history of sends', async () => {
    const campaign = await active();
    const dueAt = new Date('2026-11-28T06:30:00.000Z');
    const lastReply = { code: '250', enhancedCode: null, command: 'DATA', response: '250 2.0.0 queued' };
    await send(campaign, { state: 'sent', sentAt: WEDNESDAY, lastReply });
    await set('LeadRecord', campaign.lead, { dueAt, sentCount: 1, mailboxId: new Types.ObjectId(campaign.mailbox) });
    const answer = await explained(campaign._id, campaign.lead);
    expect(answer).toMatchObject({
      decision: 'wait',
      reason: 'step_delay',
      nextEligibleAt: dueAt.toISOString(),
      mailbox: { _id: campaign.mailbox },
      history: [
        {
          kind: 'email',
          state: 'sent',
          step: 0,
          attempts: 1,
          at: WEDNESDAY.toISOString(),
          serverResponse: lastReply.response,
        },
      ],
    });
  });

  it('explains a send in each state before its outcome', async () => {
    const campaign = await active();
    const { _id: sendId } = await send(campaign, { state: 'claimed', resolveAt: WEDNESDAY });
    await set('LeadRecord', campaign.lead, { dueAt: null, sendId, mailboxId: new Types.ObjectId(campaign.mailbox) });
    for (const [state, reason] of [
      ['claimed', 'in_flight'],
      ['sending', 'in_flight'],
      ['ambiguous', 'ambiguous'],
    ]) {
      await set('SendRecord', String(sendId), { state });
      const answer = await explained(campaign._id, campaign.lead);
      expect(answer).toMatchObject({ decision: 'wait', reason, nextEligibleAt: null, history: [{ state }] });
    }
  });

  it('says that the mailbox that wrote first was deleted', async () => {
    const { _id, lead } = await active();
    await set('LeadRecord', lead, { sentCount: 1, mailboxId: new Types.ObjectId() });
    expect(await explained(_id, lead)).toMatchObject({ decision: 'wait', reason: 'no_sender', mailbox: null });
  });

  it('says why nothing more is sent', async () => {
    const { _id, lead, leads } = await active();
    await set('LeadRecord', lead, { status: 'completed', stopReason: 'replied', dueAt: null });
    expect(await explained(_id, lead)).toMatchObject({
      decision: 'stop',
      reason: 'replied',
      message: 'The lead has replied.',
      nextEligibleAt: null,
      history: [
        {
          kind: 'stop',
          message: 'The lead has replied.',
        },
      ],
    });
    await platform.app
      .get(SuppressionsService, { strict: false })
      .add(systemScope(workspace.workspaceId), { domains: ['d1.test'] }, { source: 'manual' });
    expect(await explained(_id, leads[1]!)).toMatchObject({ decision: 'stop', reason: 'suppressed' });
  });

  it('names each placeholder without a value, and its part, step and variant', async () => {
    const sequence = [
      {
        subject: 'Hi {{firstName}}',
        body: '<p>{{ city }} {{ company | default: "you" }} {{firstName}}</p>',
      },
    ];
    const { _id, lead } = await active({ sequence });
    await set('LeadRecord', lead, { firstName: '' });
    const answer = await explained(_id, lead);
    expect(answer).toMatchObject({ decision: 'stop', reason: 'missing_variable' });
    expect(answer.missing).toMatchObject([
      { placeholder: 'firstName', part: 'subject', step: 0, variant: 'A' },
      { placeholder: 'city', part: 'body', step: 0, variant: 'A' },
      { placeholder: 'firstName', part: 'body', step: 0, variant: 'A' },
    ]);
    expect(answer.message).toContain('a value for {{city}} in the body of step 1, variant A');
    await set('LeadRecord', lead, { status: 'paused', stopReason: 'missing_variable' });
    const paused = await explained(_id, lead);
    expect([paused.reason, paused.missing.length]).toEqual(['lead_paused', 3]);
    await set('LeadRecord', lead, { firstName: 'Ann', city: 'Rome' });
    expect((await explained(_id, lead)).missing).toEqual([]);
  });

  it('reports a value that is not a link, as the readiness check does before the start', async () => {
    const sequence = [{ subject: 'Hi', body: '<a href="{{website}}">you</a>' }];
    const { _id, leads } = await campaignWithLeads(platform, workspace, 1, { sequence });
    await set('LeadRecord', leads[0]!, { website: 'data:text/html,x' });
    const explanation = await explained(_id, leads[0]!);
    expect(explanation).toMatchObject({ decision: 'stop', reason: 'missing_variable' });
    expect(explanation.message).toContain('not a link where a link is needed');
    const ready = await platform.api.as(workspace.key).get(`/v1/campaigns/${_id}/readiness`);
    expect(ready.text).toContain('No lead has a link (http, https, mailto or tel) for {{website}}; give it a default');
    await set('LeadRecord', leads[0]!, { website: 'https://x.test' });
    expect((await explained(_id, leads[0]!)).reason).not.toBe('missing_variable');
  });

  it('says that the campaign was not started', async () => {
    expect(await explained(draft._id, draft.leads[0]!)).toMatchObject({
      decision: 'wait',
      reason: 'campaign_draft',
      nextEligibleAt: null,
    });
  });

  it('answers 404 for an unknown lead and an unknown campaign', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await get(draft._id, id), 404, 'NOT_FOUND');
      expectFormB(await get(id, draft.leads[0]!), 404, 'NOT_FOUND');
    }
  });

  it('answers 404 for a lead of another campaign or workspace, and accepts a read-only key', async () => {
    const one = draft;
    const other = await newCampaign(platform, workspace);
    expectFormB(await get(other._id, one.leads[0]!), 404, 'NOT_FOUND');
    const foreign = await platform.seed.workspace();
    expectFormB(await get(one._id, one.leads[0]!, foreign.key), 404, 'NOT_FOUND');
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    await get(one._id, one.leads[0]!, readOnly).expect(200);
    expectFormA(await platform.api.get(`/v1/campaigns/${one._id}/leads/${one.leads[0]!}/explain`), 401);
  });
});
