import { eventually } from '@testing';
import { activated, readCampaign, readyCampaign, type Campaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';

interface Import {
  _id: string;
  status: string;
  counts: { created: number };
}

describe('an import into a campaign that is not a draft', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);

  it('brings its leads while the campaign is active', async () => {
    // Its window is never open in this test: nothing is sent.
    const schedule = { timezone: 'UTC', startTime: '00:00', endTime: '00:01', workingDays: [farDay()] };
    const { _id } = await readyCampaign(platform, workspace, { sendingSchedule: schedule });
    await activated(platform, workspace.workspaceId, _id);
    const upload = api().post(`/v1/campaigns/${_id}/leads/import`).type('text/csv');
    const job = dataOf<Import>(
      await upload.send('email,firstName\nada@acme.test,Ada\nbob@acme.test,Bob\n').expect(202),
    );
    await eventually('the import is completed', async () => {
      const { status } = dataOf<Import>(await api().get(`/v1/campaigns/${_id}/leads/imports/${job._id}`));
      return status === 'completed';
    });
    const done = dataOf<Import>(await api().get(`/v1/campaigns/${_id}/leads/imports/${job._id}`));
    expect(done.counts.created).toBe(2);
    const campaign = dataOf<Campaign>(await readCampaign(platform, workspace.key, _id));
    expect(campaign).toMatchObject({ status: 'active', leadCounts: { total: 2, active: 2 } });
  });
});

/** A weekday that is neither today nor tomorrow, anywhere. */
function farDay(): number {
  return ((new Date().getUTCDay() + 3 + 6) % 7) + 1;
}
