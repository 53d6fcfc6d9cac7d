import { CampaignCountersService } from '@domain/campaigns';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readyCampaign, type Step } from './campaigns';

describe('POST /v1/campaigns/:campaignId/duplicate', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const duplicate = (id: string) => platform.api.as(workspace.key).post(`/v1/campaigns/${id}/duplicate`);
  const steps = async (id: string) =>
    dataOf<{ version: number; sequence: Step[] }>(
      await platform.api.as(workspace.key).get(`/v1/campaigns/${id}/sequence`),
    );
  const settings = async (id: string) => {
    const response = await platform.api.as(workspace.key).get(`/v1/campaigns/${id}/settings`);
    return dataOf<Record<string, unknown>>(response);
  };

  it('copies settings, mailboxes and sequence into a draft, without leads and figures', async () => {
    const original = await readyCampaign(platform, workspace, {
      trackClicks: true,
      dailyLimit: 7,
      followUpsFirst: false,
      sendingSchedule: { timezone: 'Europe/Berlin', startTime: '22:00', endTime: '05:00', workingDays: [6] },
      sequence: [
        {
          name: 'Hello',
          variants: [
            { name: 'Short', subject: 'a', body: 'a', weight: 5 },
            { name: 'Long', subject: 'b', body: 'b' },
          ],
        },
        { name: 'Again', body: 'c', delay: { value: 5, unit: 'hours', workingDaysOnly: true } },
      ],
    });
    await activated(platform, workspace.workspaceId, original._id);
    const counters = platform.app.get(CampaignCountersService, { strict: false });
    await counters.count(workspace.workspaceId, original._id, null, {
      leads: { total: 3, active: 3 },
      stats: { opened: 1 },
    });
    const copy = dataOf<Campaign>(await duplicate(original._id).expect(201));
    expect(copy).toEqual({ ...original, _id: ID, name: 'Copy of Autumn', createdAt: ISO, updatedAt: ISO });
    expect(copy._id).not.toBe(original._id);
    expect(await settings(copy._id)).toEqual({ ...(await settings(original._id)), campaignId: copy._id });
    const [one, other] = [await steps(original._id), await steps(copy._id)];
    const text = (sequence: Step[]) => JSON.stringify(sequence).replaceAll(/"_id":"\w+"/g, '');
    expect(text(other.sequence)).toBe(text(one.sequence));
    expect(other.sequence.map(({ _id }) => _id)).not.toEqual(one.sequence.map(({ _id }) => _id));
    expect((await auditedActions(platform, workspace))[0]).toBe('campaign.created');
  });

  it('copies a campaign without a sequence, an archived one, and one whose name has the maximum length', async () => {
    const { _id } = await newCampaign(platform, workspace, { name: '😀'.repeat(100) });
    await platform.api.as(workspace.key).post(`/v1/campaigns/${_id}/archive`).expect(200);
    const copy = dataOf<Campaign>(await duplicate(_id).expect(201));
    expect(copy).toMatchObject({ status: 'draft', sequence: [], name: `Copy of ${'😀'.repeat(96)}` });
  });

  it('leaves out a deleted mailbox', async () => {
    const { _id, mailboxes } = await readyCampaign(platform, workspace);
    await platform.api.as(workspace.key).delete(`/v1/mailboxes/${mailboxes[0]!}`).expect(200);
    expect(dataOf<Campaign>(await duplicate(_id).expect(201)).mailboxes).toEqual([]);
  });

  it('refuses to copy a deleted campaign', async () => {
    const { _id } = await newCampaign(platform, workspace);
    await platform.api.as(workspace.key).delete(`/v1/campaigns/${_id}`).expect(200);
    expectFormB(await duplicate(_id), 404, 'NOT_FOUND');
  });
});
