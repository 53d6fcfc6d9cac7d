import { readFile } from 'node:fs/promises';
import { SendRecord } from '@domain/sends';
import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { activated, asBoth, type Campaign, newCampaign, readCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { connected, type Mailbox, sandbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

describe('a campaign on the sandbox, from its start to its completion', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  it('smoke', async () => {
    const mailbox = await connected(platform, workspace, { displayName: 'Grace', sendGapSeconds: 0 });
    const campaign = await newCampaign(platform, workspace, {
      mailboxes: [mailbox._id],
      emailIntervalMinutes: 0,
      sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
      sequence: [
        { subject: 'Hello {{firstName}}', body: '<p>First <a href="https://example.com/x?a=1&amp;b=2">link</a></p>' },
        { subject: '', body: '<p>Second</p>' },
      ],
      trackOpens: true,
      trackClicks: true,
    });
    const leads = ['a', 'b', 'c'].map((name) => ({ email: `${name}-${campaign._id}@prospects.test`, firstName: name }));
    dataOf(await platform.api.as(workspace.key).post(`/v1/campaigns/${campaign._id}/leads`).send({ leads }).expect(201));
    await activated(platform, workspace.workspaceId, campaign._id);
    for (let i = 0; i < 14; i += 1) {
      await platform.drain().catch((e) => console.log(String(e)));
      platform.clock.advance(12 * 3_600_000);
      await platform.tick();
    }
    await platform.drain().catch((e) => console.log(String(e)));
    const sends: Model<SendRecord> = platform.app.get(getModelToken(SendRecord.name), { strict: false });
    console.log(await sends.find({ workspaceId: workspace.workspaceId }).lean());
    console.log((await readCampaign(platform, workspace.key, campaign._id)).body);
    console.log(platform.logged().split('\n').filter((l) => /"level":(40|50)|error|warn/.test(l)).slice(0, 20).join('\n'));
    const log = await readFile(sandbox().acceptedLog, 'utf8');
    console.log(log.trim().split('\n').slice(-6).join('\n').slice(0, 3000));
  }, 240_000);
});
