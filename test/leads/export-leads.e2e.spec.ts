import { parse } from 'csv-parse/sync';
import { newCampaign } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { UNKNOWN_ID } from '../workspaces/people';
import { Leads } from './leads';

describe('GET /v1/campaigns/:campaignId/leads/export', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let leads: Leads;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
  });
  afterAll(() => platform.close());

  const get = (query = '', key = workspace.key) => platform.api.as(key).get(`${leads.path}/export${query}`);
  const rows = async (query = '') =>
    parse<Record<string, string>>((await get(query).expect(200)).text, { columns: true });

  it('is only a header for a campaign without leads', async () => {
    const empty = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
    const response = await platform.api.as(workspace.key).get(`${empty.path}/export`).expect(200);
    expect(response.text).toMatch(/^_id,email,firstName,.*,variables\r\n$/);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="leads.csv"',
    });
  });

  it('has every lead once, newest first, through many batches, with the filters of the list', async () => {
    for (const from of [0, 1_000]) {
      const many = Array.from({ length: 1_000 }, (_, at) => ({
        email: `p${from + at}@x.example`,
        firstName: `P${from + at}`,
      }));
      await leads.post({ leads: many }).expect(201);
    }
    const exported = await rows();
    expect(new Set(exported.map(({ email }) => email)).size).toBe(2_000);
    expect(exported).toHaveLength(2_000);
    const { data } = await leads.list('?limit=100');
    expect(exported.slice(0, 100).map(({ _id }) => _id)).toEqual(data.map(({ _id }) => _id));
    await leads.act({ action: 'pause', leadIds: [data[0]!._id] });
    expect((await rows('?status=paused')).map(({ _id }) => _id)).toEqual([data[0]!._id]);
    expect((await rows('?search=P1999')).map(({ firstName }) => firstName)).toEqual(['P1999']);
  });

  it('escapes cells that a spreadsheet would execute, and keeps the rest unchanged', async () => {
    const cells = ['=1+1', '+SUM(A1)', '-1', '@x', '"quoted", with\r\nlines', 'Zoë'];
    const people = cells.map((companyName, at) => ({
      email: `cell${at}@y.example`,
      companyName,
      variables: { a: '=b' },
    }));
    await leads.post({ leads: people }).expect(201);
    const exported = (await rows('?search=%40y.example')).toReversed();
    expect(exported.map(({ companyName }) => companyName)).toEqual([
      "'=1+1",
      "'+SUM(A1)",
      "'-1",
      "'@x",
      '"quoted", with\r\nlines',
      'Zoë',
    ]);
    expect(exported[0]!['variables']).toBe('{"a":"=b"}');
  });

  it('answers errors like other routes, before it writes a row', async () => {
    const other = await platform.seed.workspace();
    expectFormB(await get('', other.key), 404, 'NOT_FOUND');
    expectFormB(await get('?status=x'), 400, 'VALIDATION_ERROR', 'status');
    expectFormB(await get('?limit=5'), 400, 'VALIDATION_ERROR', 'limit');
    expectFormB(await platform.api.as(workspace.key).get(`/v1/campaigns/${UNKNOWN_ID}/leads/export`), 404, 'NOT_FOUND');
    expectFormA(await platform.api.get(`${leads.path}/export`), 401);
  });
});
