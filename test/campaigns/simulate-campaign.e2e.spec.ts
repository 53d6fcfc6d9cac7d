import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { activated, newCampaign, readyCampaign, SEQUENCE } from './campaigns';
import { campaignWithLeads, OPEN_ALWAYS, WEDNESDAY } from './insight';

interface Simulation {
  startAt: string;
  finishesAt: string | null;
  sends: number;
  perDay: { day: string; total: number; byMailbox: Record<string, number> }[];
  binding: { limit: string; share: number; message: string }[];
  assumptions: string[];
}

describe('POST /v1/campaigns/:campaignId/simulate', () => {
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

  const post = (id: string, body: object = {}, key = workspace.key) =>
    platform.api.as(key).post(`/v1/campaigns/${id}/simulate`).send(body);
  const simulated = async (id: string, body: object = {}) => dataOf<Simulation>(await post(id, body).expect(200));
  const stored = async (id: string) => {
    const read = (name: string, filter: object) =>
      platform.app
        .get<Model<object>>(getModelToken(name), { strict: false })
        .find({ workspaceId: workspace.workspaceId, ...filter })
        .lean();
    return JSON.stringify([
      await read('CampaignRecord', { _id: id }),
      await read('LeadRecord', { campaignId: id }),
      await read('MailboxLeaseRecord', {}),
    ]);
  };

  it('simulates a draft as if it were started now, and changes nothing', async () => {
    const { _id, mailboxes } = await campaignWithLeads(platform, workspace, 4);
    const before = await stored(_id);
    const answer = await simulated(_id);
    const [mailbox] = mailboxes;
    expect(answer).toMatchObject({
      startAt: WEDNESDAY.toISOString(),
      sends: 8,
      perDay: [
        { day: '2026-11-25', total: 4, byMailbox: { [mailbox!]: 4 } },
        { day: '2026-11-28', total: 4, byMailbox: { [mailbox!]: 4 } },
      ],
    });
    // A new mailbox waits a minute between two emails, and the second step is due three days after the first.
    expect(answer.finishesAt).toBe('2026-11-28T06:33:00.000Z');
    expect(answer.binding.map(({ limit }) => limit)).toEqual(['step_delay', 'mailbox_gap']);
    expect(answer.binding.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 2);
    expect(answer.assumptions).toContain(`The campaign is started at ${answer.startAt}.`);
    expect(await stored(_id)).toBe(before);
  });

  it('begins at the given time, and says so if it does not finish within the days', async () => {
    const { _id } = await campaignWithLeads(platform, workspace, 2);
    const startAt = '2026-12-01T10:00:00.000Z';
    const answer = await simulated(_id, { startAt, days: 2 });
    expect(answer).toMatchObject({ startAt, finishesAt: null, sends: 2, perDay: [{ day: '2026-12-01', total: 2 }] });
  });

  it('continues an active campaign, and includes the campaigns that share its mailboxes', async () => {
    const { _id, mailboxes } = await campaignWithLeads(platform, workspace, 3);
    const other = await campaignWithLeads(platform, workspace, 3, { mailboxes });
    await activated(platform, workspace.workspaceId, other._id);
    await activated(platform, workspace.workspaceId, _id);
    const answer = await simulated(_id);
    expect(answer.sends).toBe(6);
    expect(answer.assumptions).toContain('The campaign is active: it continues from now.');
    expect(answer.assumptions).toContain('Active campaigns that share its mailboxes keep sending: 1.');
    // They alternate, a minute apart; alone, the campaign would need two minutes.
    expect(answer.finishesAt).toBe('2026-11-28T06:34:00.000Z');
  });

  it('has nothing to simulate without leads', async () => {
    const { _id } = await readyCampaign(platform, workspace, OPEN_ALWAYS);
    expect(await simulated(_id)).toMatchObject({ sends: 0, perDay: [], finishesAt: null, binding: [] });
  });

  it('refuses invalid input and names the field', async () => {
    const { _id } = await readyCampaign(platform, workspace);
    const cases: readonly (readonly [object, string])[] = [
      [{ days: 0 }, 'days'],
      [{ days: 366 }, 'days'],
      [{ days: '5' }, 'days'],
      [{ startAt: 'tomorrow' }, 'startAt'],
      [{ startAt: '2026-11-24T06:30:00Z' }, 'startAt'],
      [{ startAt: '2028-11-24T06:30:00Z' }, 'startAt'],
      [{ horizon: 1 }, 'horizon'],
    ];
    for (const [body, field] of cases) {
      expectFormB(await post(_id, body), 400, 'VALIDATION_ERROR', field);
    }
  });

  it('refuses a campaign that cannot send in any case, and gives the reason', async () => {
    expectFormB(await post((await newCampaign(platform, workspace))._id), 409, 'CONFLICT');
    const { _id } = await newCampaign(platform, workspace, { sequence: SEQUENCE });
    expectFormB(await post(_id), 409, 'CONFLICT');
    const archived = await readyCampaign(platform, workspace);
    await platform.api.as(workspace.key).post(`/v1/campaigns/${archived._id}/archive`).expect(200);
    expectFormB(await post(archived._id), 409, 'CONFLICT');
  });

  it('refuses more leads than it can simulate', async () => {
    const { _id } = await readyCampaign(platform, workspace);
    const shares = platform.app.get<Model<object>>(getModelToken('CampaignMailboxRecord'), { strict: false });
    await shares.updateOne(
      { workspaceId: workspace.workspaceId, campaignId: _id, mailboxId: { $ne: null } },
      { $set: { 'leads.active': 100_001 } },
    );
    expectFormB(await post(_id), 409, 'LIMIT_EXCEEDED');
  });

  it('answers 404 for an unknown campaign', async () => {
    const cases: readonly string[] = [UNKNOWN_ID, ...MALFORMED_IDS];
    for (const id of cases) {
      expectFormB(await post(id), 404, 'NOT_FOUND');
    }
  });

  it('answers 404 for another workspace’s campaign, and accepts a read-only key', async () => {
    const { _id } = await campaignWithLeads(platform, workspace, 1);
    const other = await platform.seed.workspace();
    expectFormB(await post(_id, {}, other.key), 404, 'NOT_FOUND');
    await post(_id, {}, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])).expect(200);
    expectFormA(await platform.api.post(`/v1/campaigns/${_id}/simulate`).send({}), 401);
  });
});
