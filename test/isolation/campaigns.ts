import { type Platform, type SeededWorkspace } from '../harness';
import { activated, newCampaign, readyCampaign, type Step } from '../campaigns/campaigns';
import { Leads } from '../leads/leads';
import { dataOf } from '../workspaces/people';

/** Ids of a campaign for every route, by path template if it requires another status than draft. */
export async function makeCampaigns(platform: Platform, workspace: SeededWorkspace): Promise<Record<string, string>> {
  const { workspaceId, key } = workspace;
  const { _id: draft } = await readyCampaign(platform, workspace);
  const edited = { sequence: [{ subject: 'Hello', body: '<p>Edited</p>' }] };
  await platform.api.as(key).patch(`/v1/campaigns/${draft}`).send(edited).expect(200);
  const published = await platform.api.as(key).get(`/v1/campaigns/${draft}/sequence`).expect(200);
  const [step] = dataOf<{ sequence: Step[] }>(published).sequence;
  await newCampaign(platform, workspace);
  const leadIds = await new Leads(platform, workspace, draft).add('ada@leads.example', 'bob@leads.example');
  const { _id: startable } = await readyCampaign(platform, workspace, edited);
  await new Leads(platform, workspace, startable).add('eve@leads.example');
  const [{ _id: active }, { _id: paused }] = [
    await readyCampaign(platform, workspace),
    await readyCampaign(platform, workspace),
  ];
  await activated(platform, workspaceId, active);
  await activated(platform, workspaceId, paused);
  await platform.api.as(key).post(`/v1/campaigns/${paused}/pause`).expect(200);
  return {
    campaignId: draft,
    leadId: leadIds[0]!,
    otherLeadId: leadIds[1]!,
    stepId: step!._id,
    variantId: step!.variants[0]!._id,
    '/v1/campaigns/{campaignId}/start': startable,
    '/v1/campaigns/{campaignId}/pause': active,
    '/v1/campaigns/{campaignId}/resume': paused,
  };
}
