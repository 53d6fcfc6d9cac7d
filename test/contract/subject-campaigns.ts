import { CampaignCountersService } from '@domain/campaigns';
import { activated, newCampaign, readyCampaign, type Step } from '../campaigns/campaigns';
import { Leads } from '../leads/leads';
import { dataOf } from '../workspaces/people';
import { type ContractFixture } from './contract-fixture';

/** A draft with leads of every status, a started campaign, and a completed one. */
export async function makeCampaigns({ platform, workspace }: ContractFixture): Promise<string[]> {
  const { workspaceId, key } = workspace;
  const draft = await readyCampaign(platform, workspace);
  await new Leads(platform, workspace, draft._id).add('ada@leads.example', 'bob@leads.example');
  const active = await readyCampaign(platform, workspace);
  await activated(platform, workspaceId, active._id);
  const answer = await platform.api.as(key).get(`/v1/campaigns/${active._id}/sequence`).expect(200);
  const [step] = dataOf<{ sequence: Step[] }>(answer).sequence;
  await platform.app
    .get(CampaignCountersService, { strict: false })
    .count(workspaceId, active._id, active.mailboxes[0] ?? null, {
      stats: { sent: 3, delivered: 3, opened: 2, clicked: 1, bounced: 1, replied: 1 },
      steps: { [step?._id ?? '']: { sent: 3, opened: 2, clicked: 1, bounced: 1 } },
    });
  const over = await newCampaign(platform, workspace);
  await activated(platform, workspaceId, over._id);
  await new Leads(platform, workspace, over._id).complete();
  return [draft._id, active._id, over._id];
}

/** A recipient with reports, one for a campaign, and one whose schedule is inactive. */
export async function makeRecipients({ platform, workspace }: ContractFixture, campaignId: string): Promise<void> {
  const weekly = { frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'Europe/Berlin' };
  for (const more of [
    { name: 'Grace Hopper', email: 'rear.admiral@one.example', company: 'Navy', role: 'Admiral', schedule: weekly },
    { name: 'Ada', email: 'ada@two.example', reportType: 'campaign', campaignIds: [campaignId] },
    { name: 'Alan', email: 'alan@three.example', schedule: { ...weekly, enabled: false } },
  ]) {
    await platform.api.as(workspace.key).post('/v1/reports/recipients').send(more).expect(201);
  }
}
