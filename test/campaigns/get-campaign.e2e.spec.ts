import { CampaignCountersService } from '@domain/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readCampaign, readyCampaign } from './campaigns';

let platform: Platform;

beforeAll(async () => {
  platform = await sharedPlatform();
});
afterAll(() => platform.close());

describe('GET /v1/campaigns/:campaignId', () => {
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    workspace = await platform.seed.workspace();
  });

  const get = (id: string, key = workspace.key) => readCampaign(platform, key, id);

  it('answers exactly the documented fields', async () => {
    const { _id, mailboxes } = await readyCampaign(platform, workspace, { trackOpens: true });
    await activated(platform, workspace.workspaceId, _id);
    const counters = platform.app.get(CampaignCountersService, { strict: false });
    await counters.count(workspace.workspaceId, _id, null, { leads: { total: 5, active: 5 }, stats: { opened: 1 } });
    await counters.count(workspace.workspaceId, _id, mailboxes[0]!, {
      stats: { sent: 3, delivered: 2, bounced: 1 },
      leads: { active: -2, completed: 1, bounced: 1 },
    });
    const response = await get(_id);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          _id: ID,
          name: 'Autumn',
          userId: workspace.owner.userId,
          workspaceId: workspace.workspaceId,
          status: 'active',
          mailboxes: [ID],
          mailboxRotation: 'round-robin',
          sequence: [
            { type: 'email', name: 'Step 1', order: 0, subject: 'Hello {{firstName}}', body: '<p>First</p>' },
            { type: 'email', name: 'Step 2', order: 1, subject: '', body: '<p>Second</p>' },
          ],
          sendingSchedule: { timezone: 'UTC', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] },
          trackOpens: true,
          trackClicks: false,
          stopOnReply: true,
          includeUnsubscribeLink: true,
          emailIntervalMinutes: 10,
          stats: { sent: 3, delivered: 2, opened: 1, clicked: 0, replied: 0, bounced: 1, unsubscribed: 0 },
          leadCounts: { total: 5, active: 3 },
          startedAt: ISO,
          completedAt: null,
          createdAt: ISO,
          updatedAt: ISO,
        },
      },
    });
  });

  it('requires the same key as bearer', async () => {
    const { _id } = await newCampaign(platform, workspace);
    expectFormA(await platform.api.as(workspace.key).get(`/v1/campaigns/${_id}`), 401);
    const wrong = platform.api.as(workspace.key).with({ Authorization: `Bearer ${workspace.owner.key}` });
    expectFormA(await wrong.get(`/v1/campaigns/${_id}`), 401);
  });

  it('accepts a member and a read-only key', async () => {
    const { _id } = await newCampaign(platform, workspace);
    const member = await newMember(platform, workspace);
    const asMember = platform.api
      .as(member.key)
      .in(workspace.workspaceId)
      .with({ Authorization: `Bearer ${member.key}` });
    await asMember.get(`/v1/campaigns/${_id}`).expect(200);
    await get(_id, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])).expect(200);
  });

  it('answers 404 Form B to an unknown id, a malformed id and another workspace’s campaign', async () => {
    const foreign = await newCampaign(platform, await platform.seed.workspace());
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS, foreign._id]) {
      const response = await get(id);
      expectFormB(response, 404, 'NOT_FOUND');
      expect((response.body as { error: { message: string } }).error.message).toBe('Campaign not found');
    }
    for (const id of [UNKNOWN_ID, 'x', foreign._id]) {
      expectFormB(await platform.api.as(workspace.key).get(`/v1/campaigns/${id}/settings`), 404, 'NOT_FOUND');
    }
  });
});

describe('GET /v1/campaigns', () => {
  let workspace: SeededWorkspace;
  /** Oldest first. */
  let campaigns: Campaign[];

  beforeAll(async () => {
    workspace = await platform.seed.workspace();
    await readyCampaign(platform, await platform.seed.workspace(), { name: 'Autumn of others' });
    campaigns = [
      await readyCampaign(platform, workspace, { name: 'Autumn (50%)' }),
      await newCampaign(platform, workspace, { name: 'Winter' }),
      await readyCampaign(platform, workspace, { name: 'autumn again' }),
    ];
    await activated(platform, workspace.workspaceId, campaigns[2]!._id);
  });

  const list = async (query = '') => {
    const response = await platform.api.as(workspace.key).get(`/v1/campaigns${query}`);
    return response.body as { data: Campaign[]; pagination: object };
  };
  const names = async (query: string) => (await list(query)).data.map(({ name }) => name);

  it('lists the campaigns of the workspace, newest first, without lead counts', async () => {
    const { data, pagination } = await list();
    expect(pagination).toEqual({ limit: 25, total: 3, hasMore: false, nextCursor: null });
    expect(data.map(({ name }) => name)).toEqual(['autumn again', 'Winter', 'Autumn (50%)']);
    const { leadCounts: _counts, ...first } = campaigns[0]!;
    expect(data[2]).toEqual(first);
    expect(data[1]).toMatchObject({ sequence: [] });
  });

  it('filters by status, mailbox and name', async () => {
    expect(await names('?status=active')).toEqual(['autumn again']);
    expect(await names('?status=archived')).toEqual([]);
    expect(await names(`?mailboxId=${campaigns[0]!.mailboxes[0]!}`)).toEqual(['Autumn (50%)']);
    expect(await names(`?mailboxId=${UNKNOWN_ID}`)).toEqual([]);
    expect(await names('?mailboxId=x')).toEqual([]);
    expect(await names('?search=AUTUMN')).toEqual(['autumn again', 'Autumn (50%)']);
    expect(await names('?search=(50%25)')).toEqual(['Autumn (50%)']);
    expect(await names('?search=.*')).toEqual([]);
    expect(await names('?search=autumn&status=draft')).toEqual(['Autumn (50%)']);
  });

  it('pages by cursor', async () => {
    const first = await list('?limit=2');
    expect(first.pagination).toMatchObject({ total: 3, hasMore: true });
    const { nextCursor } = first.pagination as { nextCursor: string };
    expect(await names(`?limit=2&cursor=${nextCursor}`)).toEqual(['Autumn (50%)']);
    const other = await platform.api.as(workspace.key).get(`/v1/campaigns?status=draft&cursor=${nextCursor}`);
    expectFormB(other, 400, 'VALIDATION_ERROR', 'cursor');
  });

  it.each(['status=running', 'mailboxId=', 'surprise=1', 'status=draft&status=active'])('refuses %s', async (query) => {
    expect((await platform.api.as(workspace.key).get(`/v1/campaigns?${query}`)).status).toBe(400);
  });

  it('excludes deleted campaigns', async () => {
    const { _id } = await newCampaign(platform, workspace, { name: 'Gone' });
    await platform.api.as(workspace.key).delete(`/v1/campaigns/${_id}`).expect(200);
    expect(await names('?search=gone')).toEqual([]);
    expect(dataOf<Campaign[]>(await platform.api.as(workspace.key).get('/v1/campaigns'))).toHaveLength(3);
  });
});
