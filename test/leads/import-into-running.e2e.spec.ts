import { eventually } from '@testing';
import { activated, readyCampaign, shut } from '../campaigns/campaigns';
import { createClient, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';

describe('an import into an active campaign', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  it('adds its leads while the campaign is active', async () => {
    const { _id } = await readyCampaign(platform, workspace, { sendingSchedule: shut() });
    await activated(platform, workspace.workspaceId, _id);
    const { campaigns } = createClient(platform, workspace.key);
    const job = await campaigns.leads.import(_id, 'email,firstName\nada@acme.test,Ada\nbob@acme.test,Bob\n');
    const read = () => campaigns.leads.imports.get(_id, job._id);
    await eventually('the import is completed', async () => (await read()).status === 'completed');
    expect((await read()).counts.created).toBe(2);
    expect(await campaigns.get(_id)).toMatchObject({ status: 'active', leadCounts: { total: 2, active: 2 } });
  });
});
