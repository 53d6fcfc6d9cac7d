import { MailboxLeaseService } from '@domain/sends';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { Leads } from '../leads/leads';
import { auditedActions, dataOf, ISO, UNKNOWN_ID } from '../workspaces/people';
import { type Campaign, newCampaign, readyCampaign } from './campaigns';

interface Check {
  check: string;
  status: string;
  message: string;
}

interface Readiness {
  ready: boolean;
  checks: Check[];
}

type Fields = Record<string, unknown>;

const ALL = ['mailboxes', 'sequence', 'leads', 'variables', 'schedule', 'unsubscribe', 'dns'];

describe('POST /v1/campaigns/:campaignId/start and GET /readiness', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ env: { PUBLIC_URL: 'https://mail.example.com' } });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const api = (key = workspace.key) => platform.api.as(key);
  const start = (id: string, key?: string) => api(key).post(`/v1/campaigns/${id}/start`);
  const readiness = async (id: string) => dataOf<Readiness>(await api().get(`/v1/campaigns/${id}/readiness`));
  const model = (name: string) => platform.app.get<Model<Fields>>(getModelToken(name), { strict: false });
  const set = (name: string, _id: string, fields: Fields) =>
    model(name).updateOne({ workspaceId: workspace.workspaceId, _id }, { $set: fields });
  const leadsOf = ({ _id }: Campaign) => new Leads(platform, workspace, _id);
  const person = (n: number, more: object = {}) => ({ email: `lead${n}@lead.test`, firstName: 'Grace', ...more });
  /** A campaign with two leads that meets every condition. */
  const startable = async (more: object = {}) => {
    const campaign = await readyCampaign(platform, workspace, more);
    await leadsOf(campaign)
      .post({ leads: [person(1), person(2)] })
      .expect(201);
    return campaign;
  };
  /** The start fails exactly these checks, and the campaign is unchanged. */
  const expectRefused = async ({ _id, status }: Campaign, ...checks: string[]) => {
    const refused = await start(_id);
    expectFormB(refused, 409, 'CAMPAIGN_NOT_READY', ...checks);
    const failed = (await readiness(_id)).checks.filter((one) => one.status === 'failed');
    const { details } = (refused.body as { error: { details: { message: string }[] } }).error;
    expect(failed.map(({ message }) => message)).toEqual(details.map(({ message }) => message));
    const stored = await model('CampaignRecord').findOne({ workspaceId: workspace.workspaceId, _id }).lean<Fields>();
    expect(stored).toMatchObject({ status, startedAt: null });
    return details.map(({ message }) => message).join('\n');
  };

  it('activates a draft that is ready, with all side effects', async () => {
    const campaign = await startable();
    const before = await readiness(campaign._id);
    expect(before).toMatchObject({ ready: true, checks: ALL.map((check) => ({ check, status: 'ok' })) });
    const started = dataOf<Campaign>(await start(campaign._id).expect(200));
    expect(started).toEqual({
      ...campaign,
      status: 'active',
      leadCounts: { total: 2, active: 2 },
      startedAt: ISO,
      updatedAt: ISO,
    });
    const leases = await platform.app
      .get(MailboxLeaseService, { strict: false })
      .findStates(workspace.workspaceId, campaign.mailboxes);
    expect([...leases.values()].map(({ nextAt }) => nextAt)).toEqual([expect.any(Date)]);
    const events = await leadsOf(campaign).events();
    expect(events.map(({ type }) => type)).toEqual(['campaign.started']);
    expect((await auditedActions(platform, workspace))[0]).toBe('campaign.started');
    const mailbox = campaign.mailboxes[0] ?? '';
    expectFormB(await api().delete(`/v1/mailboxes/${mailbox}`), 409, 'CONFLICT');
  });

  it('answers CONFLICT with the status to a second start, and to one of two parallel starts', async () => {
    const started = async () =>
      (await auditedActions(platform, workspace)).filter((one) => one === 'campaign.started').length;
    const before = await started();
    const campaign = await startable();
    const both = await Promise.all([start(campaign._id), start(campaign._id)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const refused = await start(campaign._id);
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain('This campaign is active');
    expect(await readiness(campaign._id)).toMatchObject({ ready: true });
    expect((await started()) - before).toBe(1);
  });

  it('restarts a paused and a completed campaign, and no archived one', async () => {
    const campaign = await startable();
    await start(campaign._id).expect(200);
    await api().post(`/v1/campaigns/${campaign._id}/pause`).expect(200);
    const again = dataOf<Campaign>(await start(campaign._id).expect(200));
    await leadsOf(campaign).complete();
    const third = dataOf<Campaign>(await start(campaign._id).expect(200));
    expect(third).toMatchObject({ status: 'active', completedAt: null, startedAt: again.startedAt });
    await api().post(`/v1/campaigns/${campaign._id}/pause`).expect(200);
    await api().post(`/v1/campaigns/${campaign._id}/archive`).expect(200);
    const refused = await start(campaign._id);
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain('This campaign is archived');
  });

  it('names everything that an empty campaign lacks', async () => {
    const campaign = await newCampaign(platform, workspace);
    await expectRefused(campaign, 'mailboxes', 'sequence', 'leads');
  });

  it('is refused if no mailbox can send, and warns if only one of several cannot', async () => {
    const [alone, beside] = [await startable(), await startable()];
    const [mailbox = ''] = alone.mailboxes;
    const mailboxes = [mailbox, ...beside.mailboxes];
    await api().patch(`/v1/campaigns/${beside._id}`).send({ mailboxes }).expect(200);
    const sends = { status: 'active', pausedAt: null, 'connection.state': 'connected', sendingEnabled: true };
    const cases: readonly (readonly [Fields, RegExp])[] = [
      [{ status: 'paused', pausedAt: new Date() }, /is paused/],
      [{ status: 'disconnected', 'connection.state': 'disconnected' }, /is disconnected/],
      [{ status: 'disconnected', 'connection.state': 'needs_reauthorisation' }, /connected again/],
      [{ sendingEnabled: false }, /sendingEnabled/],
    ];
    await inEachRow(cases, async ([fields, message]) => {
      await set('MailboxRecord', mailbox, { ...sends, ...fields });
      expect(await expectRefused(alone, 'mailboxes')).toMatch(message);
      const { ready, checks } = await readiness(beside._id);
      expect({ ready, mailboxes: checks[0] }).toMatchObject({ ready: true, mailboxes: { status: 'warning' } });
      expect(checks[0]?.message).toMatch(message);
    });
    await start(beside._id).expect(200);
  });

  it('is refused with a mailbox that the engine has stopped, until a person resumes it', async () => {
    const campaign = await startable();
    const mailbox = campaign.mailboxes[0] ?? '';
    const leases = platform.app.get(MailboxLeaseService, { strict: false });
    await leases.scheduleNow(workspace.workspaceId, [mailbox]);
    await leases.stop(workspace.workspaceId, mailbox, { code: 'refused', message: '550 5.7.1 Spam' });
    expect(await expectRefused(campaign, 'mailboxes')).toContain('was stopped (550 5.7.1 Spam)');
    await api().post(`/v1/mailboxes/${mailbox}/resume`).expect(200);
    await start(campaign._id).expect(200);
  });

  it('is refused without an active lead', async () => {
    const campaign = await readyCampaign(platform, workspace);
    await expectRefused(campaign, 'leads');
    const leads = leadsOf(campaign);
    await leads.add('grace@lead.test');
    await leads.modified({ action: 'pause', selectAll: true });
    await expectRefused(campaign, 'leads');
  });

  it('is refused with a placeholder that no lead fills, and warns of one that some leads lack', async () => {
    const campaign = await startable({
      sequence: [{ subject: 'Hi {{firstName}}', body: '{{industry}} {{city | default: "x"}}' }],
    });
    expect(await expectRefused(campaign, 'variables')).toContain('{{industry}}');
    await leadsOf(campaign)
      .post({ leads: [person(3, { variables: { industry: 'Mining' } })] })
      .expect(201);
    const { ready, checks } = await readiness(campaign._id);
    expect({ ready, variables: checks[3] }).toMatchObject({ ready: true, variables: { status: 'warning' } });
    expect(checks[3]?.message).toContain('2 of 3');
    await start(campaign._id).expect(200);
  });

  it('is refused when the email uses the sender’s name and the mailbox has none', async () => {
    const campaign = await startable({ sequence: [{ subject: 'Hi', body: 'I am {{senderName}}' }] });
    expect(await expectRefused(campaign, 'variables')).toContain('{{senderName}}');
  });

  it('is refused when no window ever opens', async () => {
    const campaign = await startable();
    await set('CampaignRecord', campaign._id, { 'sendingSchedule.workingDays': [] });
    await expectRefused(campaign, 'schedule');
  });

  it('is refused when SPF or DKIM of the sending domain fails, and warns about DMARC', async () => {
    const campaign = await startable();
    const [mailbox = ''] = campaign.mailboxes;
    const checked = async (setup: Fields) => {
      await set('MailboxRecord', mailbox, { setup });
      return (await readiness(campaign._id)).checks[6];
    };
    const stored = await model('MailboxRecord')
      .findOne({ workspaceId: workspace.workspaceId, _id: mailbox })
      .lean<Fields>();
    const setup = stored?.['setup'] as Fields;
    await inEachRow(['spf', 'dkim'], async (record) => {
      expect(await checked({ ...setup, [record]: 'fail' })).toMatchObject({ check: 'dns', status: 'failed' });
      await expectRefused(campaign, 'dns');
    });
    expect(await checked({ ...setup, dmarc: 'fail' })).toMatchObject({ check: 'dns', status: 'warning' });
    await start(campaign._id).expect(200);
  });

  it('names a first step without a subject', async () => {
    const campaign = await startable();
    const sequences = model('CampaignSequenceRecord');
    await sequences.updateOne(
      { workspaceId: workspace.workspaceId, campaignId: campaign._id },
      { $set: { 'steps.0.variants.0.subject': '' } },
    );
    expect(await expectRefused(campaign, 'sequence')).toContain('Step 1, wording A has no subject');
  });

  it('reads only a sample of the leads, whatever their number', async () => {
    const campaign = await startable({ sequence: [{ subject: 'Hi', body: '{{industry}}' }] });
    const leads = model('LeadRecord');
    const of = { workspaceId: workspace.workspaceId, campaignId: campaign._id };
    const template = await leads.findOne(of).lean<Fields>();
    const copies = Array.from({ length: 1_200 }, (_, n) => {
      const createdAt = new Date(platform.clock.now().getTime() + 1_000 + n);
      return {
        ...template,
        _id: new Types.ObjectId(),
        email: `copy${n}@lead.test`,
        variables: { industry: 'Mining' },
        createdAt,
      };
    });
    await leads.insertMany(copies, { lean: true, timestamps: false });
    expect((await readiness(campaign._id)).checks[3]?.message).toContain('2 of 1000');
    const plan = await leads
      .find({ ...of, status: 'active' })
      .sort({ createdAt: 1, _id: 1 })
      .limit(1_000)
      .explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('IXSCAN');
  });

  it('answers 404 Form B to an unknown id and another workspace’s campaign, 403 to a read-only key', async () => {
    const campaign = await startable();
    const stranger = await platform.seed.workspace();
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormB(await start(UNKNOWN_ID), 404, 'NOT_FOUND');
    expectFormB(await start(campaign._id, stranger.key), 404, 'NOT_FOUND');
    expectFormB(await api(stranger.key).get(`/v1/campaigns/${campaign._id}/readiness`), 404, 'NOT_FOUND');
    expectFormA(await start(campaign._id, readOnly), 403, 'permission');
    await api(readOnly).get(`/v1/campaigns/${campaign._id}/readiness`).expect(200);
  });
});
