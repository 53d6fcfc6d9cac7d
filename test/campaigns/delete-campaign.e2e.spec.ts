import { HookRegistry } from '@platform/hooks';
import { CAMPAIGN_HOOKS, CampaignCountersService } from '@domain/campaigns';
import { getConnectionToken } from '@nestjs/mongoose';
import { addListener, rounds } from '@testing';
import { type Connection } from 'mongoose';
import { readContent, expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { auditedActions, dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readCampaign, readyCampaign, shut } from './campaigns';

let platform: Platform;

beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});
afterAll(() => platform.close());

describe('DELETE /v1/campaigns/:campaignId', () => {
  let workspace: SeededWorkspace;
  let campaign: Campaign;

  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    campaign = await readyCampaign(platform, workspace, { sendingSchedule: shut() });
  });

  const remove = (id = campaign._id, key = workspace.key) => platform.api.as(key).delete(`/v1/campaigns/${id}`);
  const move = (name: string) => platform.api.as(workspace.key).post(`/v1/campaigns/${campaign._id}/${name}`);
  const cleared = async () => {
    platform.clock.advance(61_000);
    await platform.tick('campaign-erasure');
    await platform.drain();
  };
  /** For each campaign, the names of the collections that refer to it. */
  const left = async (...campaigns: Campaign[]) => {
    const content = await readContent(platform.app.get<Connection>(getConnectionToken()).db!);
    const texts = Object.entries(content).map(([name, documents]) => [name, JSON.stringify(documents)] as const);
    return campaigns.map(({ _id }) => texts.filter(([, text]) => text.includes(_id)).map(([name]) => name));
  };

  it('hides the campaign at once and erases its records later; keeps the name of a started one, for replies to its emails', async () => {
    await platform.tick('campaign-erasure'); // a schedule that is first seen is due at the next run
    const erased: string[] = [];
    const stopListening = addListener(platform.worker!.get(HookRegistry, { strict: false }), CAMPAIGN_HOOKS, {
      eraseCampaign: async (_workspace, id) => void erased.push(id),
    });
    const started = await readyCampaign(platform, workspace, { sendingSchedule: shut() });
    await activated(platform, workspace.workspaceId, started._id);
    await platform.api.as(workspace.key).post(`/v1/campaigns/${started._id}/pause`).expect(200);
    expect(dataOf(await remove().expect(200))).toEqual({ message: 'Campaign deleted' });
    await remove(started._id).expect(200);
    for (const { _id } of [campaign, started]) {
      expectFormB(await readCampaign(platform, workspace.key, _id), 404, 'NOT_FOUND');
    }
    expectFormB(await remove(), 404, 'NOT_FOUND');
    for (const name of ['pause', 'resume', 'archive', 'duplicate']) expectFormB(await move(name), 404, 'NOT_FOUND');
    await cleared();
    expect(erased).toEqual(expect.arrayContaining([campaign._id, started._id]));
    const now = [
      ['audit_entries', 'campaigns'],
      ['audit_entries', 'campaigns', 'events'],
    ];
    expect(await left(campaign, started)).toEqual(now);
    platform.clock.advance(2 * 3_600_000);
    await cleared();
    const later = [['audit_entries'], ['audit_entries', 'campaigns', 'events']];
    expect(await left(campaign, started)).toEqual(later);
    expect(await auditedActions(platform, workspace)).toContain('campaign.deleted');
    erased.length = 0;
    platform.clock.advance(2 * 3_600_000);
    await cleared();
    expect(erased).not.toContain(started._id);
    stopListening();
    expectFormB(await readCampaign(platform, workspace.key, started._id), 404, 'NOT_FOUND');
  });

  it('frees its leads in the limit of the workspace', async () => {
    const counters = platform.app.get(CampaignCountersService, { strict: false });
    await counters.count(workspace.workspaceId, campaign._id, null, { leads: { total: 3, active: 3 } });
    const other = await newCampaign(platform, workspace);
    await counters.count(workspace.workspaceId, other._id, null, { leads: { total: 2, active: 2 } });
    expect(await counters.countLeadsOfWorkspace(workspace.workspaceId)).toBe(5);
    await remove().expect(200);
    expect(await counters.countLeadsOfWorkspace(workspace.workspaceId)).toBe(2);
  });

  it('is refused while the campaign is active', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    const response = await remove();
    expectFormB(response, 409, 'CONFLICT');
    expect(response.text).toContain('This campaign is active');
    await move('pause').expect(200);
    await move('archive').expect(200);
    await remove().expect(200);
  });

  it('answers 404 Form B to an unknown id and another workspace’s campaign, 403 to a read-only key', async () => {
    const foreign = await newCampaign(platform, await platform.seed.workspace());
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS, foreign._id]) expectFormB(await remove(id), 404, 'NOT_FOUND');
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await remove(campaign._id, readOnly), 403, 'permission');
    await readCampaign(platform, workspace.key, campaign._id).expect(200);
  });
});

describe('DELETE /v1/mailboxes/:mailboxId of a mailbox that campaigns use', () => {
  let workspace: SeededWorkspace;
  let campaign: Campaign;

  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    campaign = await readyCampaign(platform, workspace, { sendingSchedule: shut() });
  });

  const remove = (query = '') =>
    platform.api.as(workspace.key).delete(`/v1/mailboxes/${campaign.mailboxes[0]!}${query}`);
  const read = async () => dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id));

  it('removes it from campaigns that do not send', async () => {
    await remove().expect(200);
    expect((await read()).mailboxes).toEqual([]);
  });

  it('is refused while a campaign sends, which it names, and removes the mailbox from it with force', async () => {
    await activated(platform, workspace.workspaceId, campaign._id);
    const response = await remove();
    expectFormB(response, 409, 'CONFLICT');
    expect(response.text).toContain(`Autumn (${campaign._id})`);
    expect((await read()).mailboxes).toHaveLength(1);
    await remove('?force=true').expect(200);
    expect(await read()).toMatchObject({ status: 'active', mailboxes: [] });
  });

  it('never succeeds together with a parallel start', async () => {
    const [deleted, started] = await Promise.allSettled([
      remove(),
      activated(platform, workspace.workspaceId, campaign._id),
    ]);
    const { status, mailboxes } = await read();
    const refused = deleted.status === 'fulfilled' && deleted.value.status === 409;
    expect(status === 'active').toBe(started.status === 'fulfilled');
    // Either the deletion saw a sending campaign, or the campaign no longer uses the mailbox.
    expect(mailboxes).toHaveLength(refused ? 1 : 0);
  });

  it('leaves no campaign that is created in parallel with a deleted mailbox', async () => {
    const mailboxes = await Promise.all(
      Array.from({ length: rounds(12, 5) }, () => seededMailbox(platform, workspace.workspaceId)),
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
