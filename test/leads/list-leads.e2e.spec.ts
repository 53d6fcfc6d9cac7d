import { newCampaign, readyCampaign } from '../campaigns/campaigns';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Leads } from './leads';

const MAILBOX = 'a'.repeat(24);
const IMPORT = 'b'.repeat(24);

describe('GET /v1/campaigns/:campaignId/leads', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let leads: Leads;
  /** Oldest first. */
  let ids: string[];
  let steps: { _id: string }[];

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    leads = new Leads(platform, workspace, (await readyCampaign(platform, workspace))._id);
    const other = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
    await other.add('ada@example.com');
    const people = [
      { email: 'ada@example.com', firstName: 'Ada', lastName: '(100%)', companyName: 'Engines' },
      { email: 'bob@example.com', firstName: 'Bob.*' },
      { email: 'cy@acme.example' },
      { email: 'dee@example.com' },
    ];
    await leads.post({ leads: people }).expect(201);
    ids = (await leads.list()).data.map(({ _id }) => _id).toReversed();
    const sequence = await platform.api.as(workspace.key).get(`/v1/campaigns/${leads.campaignId}/sequence`);
    steps = dataOf<{ sequence: { _id: string }[] }>(sequence).sequence;
    await leads.act({ action: 'pause', leadIds: [ids[1]] });
    await leads.set(ids[2]!, { sentCount: 1, mailboxId: MAILBOX, stepId: steps[1]!._id, importId: IMPORT });
    await leads.set(ids[3]!, { sentCount: 2, mailboxId: MAILBOX });
    await leads.act({ action: 'remove', leadIds: [ids[3]] });
  });
  afterAll(() => platform.close());

  const found = async (query: string) => {
    const { data, pagination } = await leads.list(query);
    expect(pagination.total).toBe(data.length);
    return data.map(({ _id }) => ids.indexOf(_id));
  };

  it('lists the leads of the campaign, newest first, with the fields of a single read', async () => {
    const page = await leads.list();
    expect(page.data.map(({ _id }) => _id)).toEqual(ids.toReversed());
    expect(page.pagination).toEqual({ limit: 25, total: 4, hasMore: false, nextCursor: null });
    for (const item of page.data) expect(await leads.get(item._id)).toEqual(item);
    expect(JSON.stringify(page)).not.toMatch(/workspaceId|thread|domains|sendId/);
  });

  it('shows the next step of each lead', async () => {
    const { data } = await leads.list();
    expect(data.map(({ step }) => step)).toEqual([
      null,
      { id: steps[1]!._id, order: 1 },
      { id: steps[0]!._id, order: 0 },
      { id: steps[0]!._id, order: 0 },
    ]);
  });

  it('pages by cursor, with the total on each page', async () => {
    for (const filter of ['', '&status=active', '&contacted=false', `&stepId=${steps[0]!._id}`]) {
      const first = await leads.list(`?limit=1${filter}`);
      const all = await leads.list(`?limit=100${filter}`);
      expect(first.pagination).toMatchObject({ total: all.data.length, hasMore: true });
      const cursor = encodeURIComponent(first.pagination.nextCursor!);
      const second = await leads.list(`?limit=1${filter}&cursor=${cursor}`);
      expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 2));
      expect(second.pagination.total).toBe(all.data.length);
    }
  });

  it('finds exactly the matching leads by each filter', async () => {
    const step = (at: number) => `?stepId=${steps[at]!._id}`;
    const expected: [string, number[]][] = [
      ['?status=active', [2, 0]],
      ['?status=paused', [1]],
      ['?status=removed', [3]],
      ['?status=bounced', []],
      ['?stopReason=manual', [3, 1]],
      ['?stopReason=replied', []],
      [`?mailboxId=${MAILBOX}`, [3, 2]],
      ['?mailboxId=x', []],
      ['?contacted=true', [3, 2]],
      ['?contacted=false', [1, 0]],
      [`?importId=${IMPORT}`, [2]],
      [step(0), [1, 0]],
      [step(1), [2]],
      [`${step(0)}&status=paused`, [1]],
      [`${step(0)}&search=ada`, [0]],
      ['?search=ADA', [0]],
      ['?search=100%25', [0]],
      ['?search=.*', [1]],
      ['?search=(', [0]],
      ['?search=engine', [0]],
      ['?search=%40acme', [2]],
      ['?search=', [3, 2, 1, 0]],
      ['?search=example&status=active&contacted=false', [0]],
    ];
    for (const [query, indexes] of expected) expect([query, await found(query)]).toEqual([query, indexes]);
  });

  it.each([
    ['?status=gone', 'status'],
    ['?status[$ne]=x', 'status[$ne]'],
    ['?stopReason=none', 'stopReason'],
    ['?contacted=1', 'contacted'],
    ['?mailboxId=', 'mailboxId'],
    [`?stepId=${'x'.repeat(65)}`, 'stepId'],
    [`?search=${'x'.repeat(101)}`, 'search'],
    ['?limit=0', 'limit'],
    ['?cursor=x', 'cursor'],
    ['?email=x', 'email'],
    ['?$where=1', '$where'],
  ])('refuses %s', async (query, field) => {
    expectFormB(await platform.api.as(workspace.key).get(`${leads.path}${query}`), 400, 'VALIDATION_ERROR', field);
  });

  it('answers 404 to an unknown campaign or lead, another campaign’s lead and another workspace’s lead', async () => {
    const other = await platform.seed.workspace();
    const theirs = new Leads(platform, other, (await newCampaign(platform, other))._id);
    const [lead] = await theirs.add('ada@example.com');
    const empty = (await newCampaign(platform, workspace))._id;
    const paths = [
      ...[UNKNOWN_ID, ...MALFORMED_IDS].flatMap((id) => [`/v1/campaigns/${id}/leads`, `${leads.path}/${id}`]),
      theirs.path,
      `${leads.path}/${lead!}`,
      `${theirs.path}/${lead!}`,
      `/v1/campaigns/${empty}/leads/${ids[0]!}`,
    ];
    for (const path of paths) expectFormB(await platform.api.as(workspace.key).get(path), 404, 'NOT_FOUND');
  });
});
