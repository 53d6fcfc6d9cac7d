import { newCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { CommandLine } from './command-line';

const ADA = 'canary.ada@leads.test';

describe('the operator’s commands for privacy requests', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let campaignId: string;
  let cli: CommandLine;

  beforeAll(async () => {
    platform = await startPlatform();
    cli = CommandLine.sharing(platform, ['privacy']);
  });
  afterAll(async () => {
    await cli.close();
    await platform.close();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    ({ _id: campaignId } = await newCampaign(platform, workspace, { name: 'Autumn' }));
    const leads = [{ email: ADA, firstName: 'Canarina' }, { email: 'bob@leads.test' }];
    await platform.api.as(workspace.key).post(`/v1/campaigns/${campaignId}/leads`).send({ leads });
  });

  const leads = async () =>
    (await platform.api.as(workspace.key).get(`/v1/campaigns/${campaignId}/leads`)).body as {
      data: { email: string; firstName: string; status: string }[];
    };

  it('export the known data as JSON, without a format option', async () => {
    const { status, stdout } = await cli.run([
      'export',
      ' CANARY.ada@leads.test ',
      '--workspace',
      workspace.workspaceId,
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      address: ADA,
      workspaces: [
        { workspaceId: workspace.workspaceId, records: { campaign_leads: [{ email: ADA, firstName: 'Canarina' }] } },
      ],
    });
  });

  it('erase the data from the given workspace only, and prevent further emails to the person', async () => {
    const other = await platform.seed.workspace();
    const { _id } = await newCampaign(platform, other, { name: 'Spring' });
    await platform.api
      .as(other.key)
      .post(`/v1/campaigns/${_id}/leads`)
      .send({ leads: [{ email: ADA }] });
    const { status, stdout } = await cli.run(['erase', ADA, '--workspace', workspace.workspaceId, '--json']);
    expect({ status, report: JSON.parse(stdout) as unknown }).toMatchObject({
      status: 0,
      report: { workspaces: [{ erased: { campaign_leads: 1 }, onTheirWay: 0, openImports: 0 }] },
    });
    const { data } = await leads();
    expect(JSON.stringify(data)).not.toMatch(/canar/i);
    expect(data.map(({ status: of }) => of).toSorted()).toEqual(['active', 'completed']);
    const again = await platform.api
      .as(workspace.key)
      .post(`/v1/campaigns/${campaignId}/leads`)
      .send({ leads: [{ email: ADA }] });
    expect(again.body).toMatchObject({ data: { created: 0, suppressed: [{ email: ADA }] } });
    const untouched = await platform.api.as(other.key).get(`/v1/campaigns/${_id}/leads`);
    expect(JSON.stringify(untouched.body)).toContain(ADA);
    const log = await platform.api.as(workspace.owner.key).get('/v1/audit?action=privacy.erased');
    expect(log.body).toMatchObject({ data: [{ action: 'privacy.erased', actor: { kind: 'operator' } }] });
  });

  it('search every workspace that knows the address when none is named', async () => {
    const { stdout } = await cli.run(['erase', ADA, '--json']);
    const { workspaces } = JSON.parse(stdout) as { workspaces: { workspaceId: string }[] };
    expect(workspaces.map(({ workspaceId }) => workspaceId)).toContain(workspace.workspaceId);
    const nobody = await cli.run(['erase', 'nobody@elsewhere.test', '--json']);
    expect(JSON.parse(nobody.stdout)).toEqual({ address: 'nobody@elsewhere.test', workspaces: [] });
  });

  it.each([
    ['no address', ['export', 'ada'], 'VALIDATION_ERROR: address '],
    ['an unknown workspace', ['erase', ADA, '--workspace', 'x'], 'NOT_FOUND: Workspace not found'],
    ['no argument', ['erase'], "missing required argument 'address'"],
  ])('refuse %s in one line', async (_name, args, message) => {
    const { status, stdout, stderr } = await cli.run(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
