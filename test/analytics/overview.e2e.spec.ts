import { newCampaign } from '../campaigns/campaigns';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { happened, relayed } from './happened';

const DAY = '?from=2026-11-02&to=2026-11-02';
const ZERO = {
  contacted: 0,
  sent: 0,
  opened: 0,
  clicked: 0,
  replied: 0,
  positiveReplied: 0,
  bounced: 0,
  unsubscribed: 0,
  autoReplied: 0,
  complained: 0,
};
const NO_RATES = {
  positiveReplyRate: 0,
  replyRate: 0,
  openRate: 0,
  clickRate: 0,
  unsubscribeRate: 0,
  bounceRate: 0,
};

interface Overview {
  topCampaigns: { name: string }[];
  [field: string]: unknown;
}

let platform: Platform;

beforeAll(async () => {
  platform = await sharedPlatform();
});
afterAll(() => platform.close());

/** A campaign with the given numbers of contacted leads and of replies. */
async function campaign(
  workspace: SeededWorkspace,
  name: string,
  { contacted = 0, replied = 0, positive = 0, mailboxId = '', at = '2026-11-02T12:00:00Z' },
): Promise<string> {
  const { _id } = await newCampaign(platform, workspace, { name });
  await happened(platform, workspace, { campaignId: _id, ...(mailboxId && { mailboxId }) }, [
    { type: 'email.sent', at, count: contacted, firstOfLead: true },
    { type: 'email.sent', at, count: contacted, firstOfLead: false },
    { type: 'email.replied', at, count: replied, firstOfLead: true },
    { type: 'email.positive_reply', at, count: positive, firstOfLead: true },
    { type: 'email.bounced', at },
  ]);
  return _id;
}

describe('GET /v1/analytics/overview', () => {
  let workspace: SeededWorkspace;
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  const get = (query = DAY, key = workspace.key) => platform.api.as(key).get(`/v1/analytics/overview${query}`);

  it('sums up the workspace, with the rate of positive replies per contacted lead first', async () => {
    const good = await campaign(workspace, 'Good', { contacted: 3, replied: 2, positive: 1 });
    const poor = await campaign(workspace, 'Poor', { contacted: 4, replied: 1 });
    await campaign(workspace, 'Later', { contacted: 9, at: '2026-11-03T00:00:00Z' });
    await relayed(platform);
    const { status, body } = await get();
    expect({ status, body: body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          timezone: 'UTC',
          from: '2026-11-02',
          to: '2026-11-02',
          headline: { positiveReplied: 1, contacted: 7, positiveReplyRate: 0.1429 },
          totals: { ...ZERO, contacted: 7, sent: 14, replied: 3, positiveReplied: 1, bounced: 2 },
          rates: { ...NO_RATES, positiveReplyRate: 0.1429, replyRate: 0.4286, bounceRate: 0.1429 },
          topCampaigns: [
            {
              id: good,
              name: 'Good',
              status: 'draft',
              sent: 6,
              replied: 2,
              positiveReplied: 1,
              contacted: 3,
              positiveReplyRate: 0.3333,
            },
            {
              id: poor,
              name: 'Poor',
              status: 'draft',
              sent: 8,
              replied: 1,
              positiveReplied: 0,
              contacted: 4,
              positiveReplyRate: 0,
            },
          ],
        },
      },
    });
  });

  it('has zeros for a workspace without activity', async () => {
    expect(dataOf(await get())).toMatchObject({
      headline: { positiveReplied: 0, contacted: 0, positiveReplyRate: 0 },
      totals: ZERO,
      rates: NO_RATES,
      topCampaigns: [],
    });
  });

  it('lists at most five campaigns, by positive replies, replies and contacted leads', async () => {
    const ranked = [
      ['A', { contacted: 1, replied: 1, positive: 1 }],
      ['B', { contacted: 1, replied: 3 }],
      ['C', { contacted: 4, replied: 2 }],
      ['D', { contacted: 3, replied: 2 }],
      ['E', { contacted: 2 }],
      ['F', { contacted: 1 }],
    ] as const;
    for (const [name, counts] of ranked.toReversed()) await campaign(workspace, name, counts);
    await relayed(platform);
    const names = dataOf<Overview>(await get()).topCampaigns.map(({ name }) => name);
    expect(names).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it('excludes other workspaces', async () => {
    await campaign(workspace, 'Mine', { contacted: 3 });
    await relayed(platform);
    const other = await platform.seed.workspace();
    expect(dataOf(await get(DAY, other.key))).toMatchObject({ totals: ZERO, topCampaigns: [] });
  });

  it('refuses invalid input and names the field', async () => {
    const cases: [string, string][] = [
      ['?from=2026-11-02&to=2026-11-01', 'to'],
      ['?from=2024-01-01&to=2025-01-01', 'to'],
      ['?timezone=Mars/Base', 'timezone'],
      ['?campaignId=x', 'campaignId'],
    ];
    for (const [query, field] of cases) {
      const response = await get(query);
      expect({ query, status: response.status }).toEqual({ query, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
  });
});

describe('GET /v1/analytics/mailboxes', () => {
  let workspace: SeededWorkspace;
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  const get = (query = DAY, key = workspace.key) => platform.api.as(key).get(`/v1/analytics/mailboxes${query}`);

  it('shows the figures of each mailbox over all campaigns, newest mailbox first', async () => {
    const idle = await seededMailbox(platform, workspace.workspaceId);
    const busy = await seededMailbox(platform, workspace.workspaceId);
    await campaign(workspace, 'One', { contacted: 3, replied: 1, mailboxId: busy._id });
    await campaign(workspace, 'Two', { contacted: 1, mailboxId: busy._id });
    await relayed(platform);
    const about = { status: 'active', timezone: 'UTC', from: '2026-11-02', to: '2026-11-02' };
    const body = (await get().expect(200)).body as { data: { email: string }[] };
    expect(body).toEqual({
      success: true,
      data: [
        {
          mailboxId: busy._id,
          email: body.data[0]!.email,
          ...about,
          totals: { ...ZERO, contacted: 4, sent: 8, replied: 1, bounced: 2 },
          rates: { ...NO_RATES, replyRate: 0.25, bounceRate: 0.25 },
        },
        { mailboxId: idle._id, email: body.data[1]!.email, ...about, totals: ZERO, rates: NO_RATES },
      ],
      pagination: { limit: 25, total: 2, hasMore: false, nextCursor: null },
    });
    const shown = await platform.api.as(workspace.key).get(`/v1/mailboxes/${busy._id}`);
    expect(body.data[0]!.email).toBe(dataOf<{ email: string }>(shown).email);
  });

  it('pages by cursor', async () => {
    const made = [
      await seededMailbox(platform, workspace.workspaceId),
      await seededMailbox(platform, workspace.workspaceId),
    ];
    const first = (await get('?limit=1')).body as { data: { mailboxId: string }[]; pagination: { nextCursor: string } };
    const second = (await get(`?limit=1&cursor=${first.pagination.nextCursor}`)).body as typeof first;
    expect([...first.data, ...second.data].map(({ mailboxId }) => mailboxId)).toEqual(
      made.map(({ _id }) => _id).toReversed(),
    );
    const other = await platform.seed.workspace();
    expectFormB(
      await get(`?limit=1&cursor=${first.pagination.nextCursor}`, other.key),
      400,
      'VALIDATION_ERROR',
      'cursor',
    );
  });

  it('refuses invalid input and names the field', async () => {
    const cases: [string, string][] = [
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
      ['?cursor=x', 'cursor'],
      ['?from=2026-11-02&to=2026-11-01', 'to'],
      ['?search=x', 'search'],
    ];
    for (const [query, field] of cases) {
      const response = await get(query);
      expect({ query, status: response.status }).toEqual({ query, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
  });
});
