import { CampaignCountersService } from '@domain/campaigns';
import { asBoth, type Campaign, newCampaign, readyCampaign, type Step } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';

interface Analytics {
  stepStats: { _id: number; sent: number }[];
  [field: string]: unknown;
}

describe('GET /v1/analytics/campaigns/:campaignId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const get = (id: string, key = workspace.key) => asBoth(platform.api, key).get(`/v1/analytics/campaigns/${id}`);

  async function steps({ _id }: Campaign): Promise<Step[]> {
    const sequence = await platform.api.as(workspace.key).get(`/v1/campaigns/${_id}/sequence`).expect(200);
    return dataOf<{ sequence: Step[] }>(sequence).sequence;
  }

  const count = (campaign: Campaign, counted: Parameters<CampaignCountersService['count']>[3]) =>
    platform.app
      .get(CampaignCountersService, { strict: false })
      .count(workspace.workspaceId, campaign._id, campaign.mailboxes[0] ?? null, counted);

  it('answers exactly the documented fields', async () => {
    const campaign = await readyCampaign(platform, workspace);
    const [first, second] = await steps(campaign);
    const total = { total: 6, active: 6 };
    await platform.app
      .get(CampaignCountersService, { strict: false })
      .count(workspace.workspaceId, campaign._id, null, { leads: total });
    await count(campaign, {
      stats: { sent: 4, delivered: 4, opened: 2, clicked: 1, bounced: 1, replied: 1, machineOpened: 3, autoReplied: 2 },
      steps: { [first!._id]: { sent: 3, opened: 3, clicked: 1, bounced: 1 }, [second!._id]: { sent: 1 } },
      leads: { active: -5, paused: 1, completed: 2, bounced: 1, removed: 1 },
    });
    const { status, body } = await get(campaign._id);
    expect({ status, body: body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          campaign: { id: campaign._id, name: 'Autumn', status: 'draft' },
          stats: { totalLeads: 6, sent: 4, opened: 2, clicked: 1, bounced: 1, replied: 1 },
          stepStats: [
            { _id: 1, sent: 3, opened: 3, clicked: 1, bounced: 1 },
            { _id: 2, sent: 1, opened: 0, clicked: 0, bounced: 0 },
          ],
          statusBreakdown: { active: 1, paused: 1, completed: 2, bounced: 1, removed: 1 },
          totalReplied: 1,
        },
      },
    });
  });

  it('has zeros and all five statuses before the first event', async () => {
    const { _id } = await newCampaign(platform, workspace);
    expect(dataOf(await get(_id))).toEqual({
      campaign: { id: _id, name: 'Autumn', status: 'draft' },
      stats: { totalLeads: 0, sent: 0, opened: 0, clicked: 0, bounced: 0, replied: 0 },
      stepStats: [],
      statusBreakdown: { active: 0, paused: 0, completed: 0, bounced: 0, removed: 0 },
      totalReplied: 0,
    });
  });

  it('shows only steps that sent, in the order of the sequence; a removed step keeps its number', async () => {
    const campaign = await readyCampaign(platform, workspace);
    const [first, second] = await steps(campaign);
    await count(campaign, {
      steps: { [second!._id]: { sent: 2, opened: 1 }, [first!._id]: { sent: 5, opened: 4 } },
    });
    const sequence = [{ ...first }, { subject: 'Another', body: '<p>Third</p>', delay: { value: 1 } }];
    const put = platform.api.as(workspace.key).put(`/v1/campaigns/${campaign._id}/sequence`);
    const variants = first!.variants.map(({ name, subject, body, weight }) => ({ name, subject, body, weight }));
    const kept = { _id: first!._id, name: first!.name, delay: first!.delay, variants };
    await put.send({ basedOn: 1, sequence: [kept, sequence[1]] }).expect(200);
    const [, third] = await steps(campaign);
    const before = dataOf<Analytics>(await get(campaign._id)).stepStats;
    expect(before.map(({ _id, sent }) => [_id, sent])).toEqual([
      [1, 5],
      [2, 2],
    ]);
    await count(campaign, { steps: { [third!._id]: { sent: 1, opened: 1 } } });
    expect(dataOf<Analytics>(await get(campaign._id)).stepStats).toMatchObject([
      { _id: 1, sent: 5, opened: 4 },
      { _id: 2, sent: 3, opened: 2 },
    ]);
  });

  it('requires the same key as bearer', async () => {
    const { _id } = await newCampaign(platform, workspace);
    const path = `/v1/analytics/campaigns/${_id}`;
    expectFormA(await platform.api.as(workspace.key).get(path), 401);
    const wrong = platform.api.as(workspace.key).with({ Authorization: `Bearer ${workspace.owner.key}` });
    expectFormA(await wrong.get(path), 401);
  });

  it('answers 404 Form B to an unknown id, a malformed id, another workspace’s campaign and a deleted one', async () => {
    const other = await platform.seed.workspace();
    const [theirs, gone] = [await newCampaign(platform, other), await newCampaign(platform, workspace)];
    await platform.api.as(workspace.key).delete(`/v1/campaigns/${gone._id}`).expect(200);
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS, theirs._id, gone._id]) {
      const response = await get(id);
      expectFormB(response, 404, 'NOT_FOUND');
      expect(response.text).toContain('Campaign not found');
    }
  });

  it('accepts a read-only key', async () => {
    const { _id } = await newCampaign(platform, workspace);
    await get(_id, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])).expect(200);
  });
});
