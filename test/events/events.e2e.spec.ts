import { sampleData } from '../../libs/domain/events/testing';
import { newCampaign, readyCampaign } from '../campaigns/campaigns';
import { happened } from '../analytics/happened';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';

interface Event {
  _id: string;
  type: string;
  at: string;
  [field: string]: unknown;
}

interface Listed {
  success: boolean;
  data: Event[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

const LEAD = '0123456789abcdef01234560';

describe('the list of events', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let campaignId: string;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    const { _id, mailboxes } = await readyCampaign(platform, workspace);
    campaignId = _id;
    const about = { campaignId, mailboxId: mailboxes[0]! };
    await happened(platform, workspace, { ...about, leadId: LEAD }, [
      { type: 'email.sent', at: '2026-01-01T10:00:00Z', firstOfLead: true },
      { type: 'email.opened', at: '2026-01-01T11:00:00Z', firstOfLead: true },
    ]);
    await happened(platform, workspace, about, [{ type: 'email.sent', at: '2026-01-01T12:00:00Z' }]);
  });
  afterAll(() => platform.close());

  const list = async (query = '', key = workspace.key) =>
    (await platform.api.as(key).get(`/v1/events${query}`).expect(200)).body as Listed;
  const kinds = async (query: string) => (await list(query)).data.map(({ type, at }) => `${type} ${at.slice(11, 16)}`);

  it('answers exactly the documented fields, in the list and in a single read', async () => {
    const { data } = await list(`?leadId=${LEAD}&type=email.sent`);
    const event = {
      _id: ID,
      type: 'email.sent',
      at: '2026-01-01T10:00:00.000Z',
      mailboxId: ID,
      campaignId,
      leadId: LEAD,
      data: sampleData('email.sent', { firstOfLead: true }),
    };
    expect(data).toEqual([event]);
    const one = await platform.api.as(workspace.key).get(`/v1/events/${data[0]!._id}`).expect(200);
    expect(one.body).toEqual({ success: true, data: event });
  });

  it('includes events of a mailbox, with null for other subjects', async () => {
    const { data } = await list('?type=mailbox.connected');
    const nothingElse = { campaignId: null, leadId: null };
    expect(data).toMatchObject([{ _id: ID, type: 'mailbox.connected', at: ISO, mailboxId: ID, ...nothingElse }]);
  });

  it.each([
    [
      'all events of a campaign, latest first',
      (): string => `?campaignId=${campaignId}`,
      ['email.sent 12:00', 'email.opened 11:00', 'email.sent 10:00'],
    ],
    ['the events of a lead', (): string => `?leadId=${LEAD}`, ['email.opened 11:00', 'email.sent 10:00']],
    ['the events of a type', (): string => '?type=email.sent', ['email.sent 12:00', 'email.sent 10:00']],
    ['the events of a lead and a type', (): string => `?type=email.sent&leadId=${LEAD}`, ['email.sent 10:00']],
    [
      'the events from a time on',
      (): string => '?from=2026-01-01T11:00:00Z&to=2026-01-02T00:00:00Z',
      ['email.sent 12:00', 'email.opened 11:00'],
    ],
    ['the events before a time', (): string => '?to=2026-01-01T11:00:00Z', ['email.sent 10:00']],
    ['no event of an unknown campaign', (): string => `?campaignId=${UNKNOWN_ID}`, []],
    ['no event for a malformed campaign id', (): string => '?campaignId=x', []],
    ['no event for a malformed lead id', (): string => '?leadId=x', []],
  ] as const)('lists %s', async (_name, query, expected) => {
    expect(await kinds(query())).toEqual(expected);
  });

  it('pages by cursor, and refuses a cursor of another list', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';

    while (cursor !== null) {
      const page: Listed = await list(`?campaignId=${campaignId}&limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page.pagination).toMatchObject({ limit: 1, total: 3 });
      seen.push(...page.data.map(({ _id }) => _id));
      cursor = page.pagination.nextCursor;
    }
    expect(new Set(seen).size).toBe(3);
    const { pagination } = await list('?limit=1');
    const elsewhere = `/v1/events?type=email.sent&cursor=${pagination.nextCursor}`;
    expectFormB(await platform.api.as(workspace.key).get(elsewhere), 400, 'VALIDATION_ERROR', 'cursor');
  });

  it.each([
    ['?type=email.eaten', 'type'],
    ['?from=2026-01-01', 'from'],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'to'],
    ['?limit=101', 'limit'],
    ['?mailboxId=x', 'mailboxId'],
    ['?campaignId[$ne]=x', 'campaignId[$ne]'],
  ])('refuses %s', async (query, ...fields) => {
    expectFormB(await platform.api.as(workspace.key).get(`/v1/events${query}`), 400, 'VALIDATION_ERROR', ...fields);
  });

  it('excludes other workspaces', async () => {
    const other = await platform.seed.workspace();
    await newCampaign(platform, other);
    const [event] = (await list()).data;
    expect((await list(`?campaignId=${campaignId}`, other.key)).data).toEqual([]);
    expectFormB(await platform.api.as(other.key).get(`/v1/events/${event!._id}`), 404, 'NOT_FOUND');
  });

  it('answers 404 Form B to an unknown and a malformed id', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await platform.api.as(workspace.key).get(`/v1/events/${id}`), 404, 'NOT_FOUND');
    }
  });

  it('accepts a read-only key', async () => {
    const key = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expect(dataOf(await platform.api.as(key).get('/v1/events'))).not.toEqual([]);
  });
});
