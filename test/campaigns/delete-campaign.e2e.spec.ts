import { CampaignCounters, CampaignUses } from '@domain/campaigns';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { contentOf, expectFormA, expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { auditedActions, dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readCampaign, readyCampaign } from './campaigns';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ worker: true });
});
afterAll(() => platform.close());

describe('DELETE /v1/campaigns/:campaignId', () => {
  let workspace: SeededWorkspace;
  let campaign: Campaign;
  const erased: string[] = [];

  beforeAll(async () => {
    await platform.tick(); // what is seen for the first time is due the next time
    const uses = platform.worker!.get(CampaignUses, { strict: false });
    uses.register({ erase: (_workspace, id) => Promise.resolve(void erased.push(id)) });
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    campaign = await readyCampaign(platform, workspace);
  });

  const remove = (id = campaign._id, key = workspace.key) => platform.api.as(key).delete(`/v1/campaigns/${id}`);
  const move = (name: string) => platform.api.as(workspace.key).post(`/v1/campaigns/${campaign._id}/${name}`);
  const cleared = async () => {
    platform.clock.advance(61_000);
    await platform.tick();
    await platform.drain();
  };
  /** Collections that still know the campaign. */
  const left = async () => {
    const content = await contentOf(platform.app.get<Connection>(getConnectionToken()).db!);
    const known = Object.entries(content).filter(([, documents]) => JSON.stringify(documents).includes(campaign._id));
    return known.map(([name]) => name);
  };

  it('removes a draft from the API at once, and all that it left behind', async () => {
    expect(dataOf(await remove().expect(200))).toEqual({ message: 'Campaign deleted' });
    expectFormB(await readCampaign(platform, workspace.key, campaign._id), 404, 'NOT_FOUND');
    expectFormB(await remove(), 404, 'NOT_FOUND');
    for (const name of ['pause', 'resume', 'archive', 'duplicate']) expectFormB(await move(name), 404, 'NOT_FOUND');
    await cleared();
    expect(erased).toContain(campaign._id);
    expect(await left()).toEqual(['audit_entries', 'campaigns']);
    platform.clock.advance(2 * 3_600_000);
    await cleared();
    expect(await left()).toEqual(['audit_entries']);
    expect(await auditedActions(platform, workspace)).toContain('campaign.deleted');
  });

  it('keeps the name of one that has started, for answers to what it sent, and erases the rest', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    await move('pause').expect(200);
    await remove().expect(200);
    platform.clock.advance(2 * 3_600_000);
    await cleared();
    expect(await left()).toEqual(['audit_entries', 'campaigns', 'events']);
    const before = erased.length;
    platform.clock.advance(2 * 3_600_000);
    await cleared();
    expect(erased.slice(before)).not.toContain(campaign._id);
    expectFormB(await readCampaign(platform, workspace.key, campaign._id), 404, 'NOT_FOUND');
  });

  it('frees its place among the leads of the workspace', async () => {
    const counters = platform.app.get(CampaignCounters, { strict: false });
    await counters.count(workspace.workspaceId, campaign._id, null, { leads: { total: 3, active: 3 } });
    const other = await newCampaign(platform, workspace);
    await counters.count(workspace.workspaceId, other._id, null, { leads: { total: 2, active: 2 } });
    expect(await counters.leadsOfWorkspace(workspace.workspaceId)).toBe(5);
    await remove().expect(200);
    expect(await counters.leadsOfWorkspace(workspace.workspaceId)).toBe(2);
  });

  it('is refused while it is active', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    const response = await remove();
    expectFormB(response, 409, 'CONFLICT');
    expect(response.text).toContain('This campaign is active');
    await move('pause').expect(200);
    await move('archive').expect(200);
    await remove().expect(200);
  });

  it('answers 404 Form B to an unknown id and one of another workspace, 403 to a key that only reads', async () => {
    const foreign = await newCampaign(platform, await platform.seed.workspace());
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS, foreign._id]) expectFormB(await remove(id), 404, 'NOT_FOUND');
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await remove(campaign._id, readOnly), 403, 'permission');
    await readCampaign(platform, workspace.key, campaign._id).expect(200);
  });
});

describe('DELETE /v1/mailboxes/:mailboxId of a mailbox that campaigns have', () => {
  let workspace: SeededWorkspace;
  let campaign: Campaign;

  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    campaign = await readyCampaign(platform, workspace);
  });

  const remove = (query = '') =>
    platform.api.as(workspace.key).delete(`/v1/mailboxes/${campaign.mailboxes[0]!}${query}`);
  const read = async () => dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id));

  it('takes it out of those that do not send', async () => {
    await remove().expect(200);
    expect((await read()).mailboxes).toEqual([]);
  });

  it('is refused while one sends, which is named, and takes it out of that when it is forced', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    const response = await remove();
    expectFormB(response, 409, 'CONFLICT');
    expect(response.text).toContain(`Autumn (${campaign._id})`);
    expect((await read()).mailboxes).toHaveLength(1);
    await remove('?force=true').expect(200);
    expect(await read()).toMatchObject({ status: 'active', mailboxes: [] });
  });

  it('and a start at the same time do not both succeed', async () => {
    const [deleted, started] = await Promise.allSettled([
      remove(),
      activated(platform, workspace.workspaceId, campaign._id),
    ]);
    const { status, mailboxes } = await read();
    const refused = deleted.status === 'fulfilled' && deleted.value.status === 409;
    expect(status === 'active').toBe(started.status === 'fulfilled');
    // Either the deletion saw a campaign that sends, or the campaign has let go of the mailbox.
    expect(mailboxes).toHaveLength(refused ? 1 : 0);
  });

  it('and campaigns that are created with it at the same time never end with a mailbox that is gone', async () => {
    const mailboxes = await Promise.all(
      Array.from({ length: 12 }, () => seededMailbox(platform, workspace.workspaceId)),
    );
    const api = platform.api.as(workspace.key);
    await Promise.all(
      mailboxes.flatMap(({ _id }) => [
        api.post('/v1/campaigns').send({ name: 'Racing', mailboxes: [_id] }),
        api.delete(`/v1/mailboxes/${_id}`).expect(200),
      ]),
    );
    const left = dataOf<Campaign[]>(await api.get('/v1/campaigns?search=racing'));
    expect(left.flatMap((racing) => racing.mailboxes)).toEqual([]);
  });
});
