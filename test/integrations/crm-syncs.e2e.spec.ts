import { HubSpotServer } from '../../libs/adapters/crm/testing';
import { expectFormB, type Platform, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { CrmUser, hubspotEnv, JOBS, type SyncJob } from './crm';

const UNKNOWN = '6740a1b2c3d4e5f607182930';

describe('syncs with a CRM', () => {
  let platform: Platform;
  let hubspot: HubSpotServer;
  let user: CrmUser;

  beforeAll(async () => {
    hubspot = await new HubSpotServer().listen();
    platform = await startPlatform({ env: hubspotEnv(hubspot), worker: true });
    user = await CrmUser.of(platform);
  });
  afterAll(async () => {
    await platform.close();
    await hubspot.close();
  });

  const pull = () => user.sync({ jobType: 'pull', campaignId: user.campaignId, full: true });

  it('pull people into a campaign, and report progress in the form of the contract', async () => {
    hubspot.store.add({ emails: ['ada@crm.example'], fields: { firstname: 'Ada' } });
    hubspot.store.add({ emails: ['nobody'] });
    const begun = await user.sync({ jobType: 'pull', entityType: 'people', campaignId: user.campaignId });
    expect(begun).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
      crmType: 'hubspot',
      jobType: 'pull',
      status: 'pending',
      entityType: 'people',
      externalJobId: `hubspot-pull-${begun.id}`,
      totalRecords: 0,
      processedRecords: 0,
      failedRecords: 0,
      progress: 0,
      importedCount: 0,
      pushedCount: 0,
      errors: [],
      errorsCount: 0,
      createdAt: expect.any(String) as unknown,
      completedAt: null,
    });
    await platform.drain();
    expect(await user.read(begun.id)).toEqual({
      ...begun,
      status: 'completed',
      totalRecords: 2,
      processedRecords: 2,
      progress: 100,
      importedCount: 1,
      completedAt: expect.any(String) as unknown,
    });
    const details = dataOf(await user.api.get(`${JOBS}/${begun.id}/details`).expect(200));
    expect(details).toMatchObject({
      trigger: 'manual',
      createdBy: { kind: 'workspace_key' },
      dryRun: false,
      campaignId: user.campaignId,
      counts: { created: 1, skipped: 1 },
      lastError: null,
    });
    const records = await user.api.get(`${JOBS}/${begun.id}/records`).expect(200);
    expect(dataOf(records)).toMatchObject([
      { email: 'ada@crm.example', result: 'created', reason: '', changes: null },
      { email: '', result: 'skipped', reason: 'invalid_address' },
    ]);
    const skipped = await user.api.get(`${JOBS}/${begun.id}/records?result=skipped`).expect(200);
    expect(dataOf<unknown[]>(skipped)).toHaveLength(1);
  });

  it('push leads to the CRM', async () => {
    await user.api
      .post(`/v1/campaigns/${user.campaignId}/leads`)
      .send({ email: 'bob@crm.example', firstName: 'Bob' })
      .expect(201);
    const { id } = await user.sync({ jobType: 'push' });
    await platform.drain();
    expect(await user.read(id)).toMatchObject({ status: 'completed', importedCount: 0, pushedCount: 1 });
    expect(hubspot.store.withEmail('bob@crm.example')).toMatchObject([{ fields: { firstname: 'Bob' } }]);
  });

  it('are listed, newest first, by CRM, direction and status', async () => {
    const listed = async (query: string) => dataOf<SyncJob[]>(await user.api.get(`${JOBS}?${query}`).expect(200));
    expect((await listed('jobType=pull')).length).toBeGreaterThan(0);
    expect(await listed('crmType=zoho')).toEqual([]);
    expect(await listed('status=failed')).toEqual([]);
    expect((await listed('limit=1&status=completed'))[0]).toMatchObject({ status: 'completed' });
  });

  it('are cancelled on request, once', async () => {
    const goOn = hubspot.hold();
    const { id } = await pull();
    const cancelled = await user.api.post(`${JOBS}/${id}/cancel`).expect(200);
    expect(dataOf(cancelled)).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) as unknown });
    await user.api.post(`${JOBS}/${id}/cancel`).expect(200);
    goOn();
    await platform.drain();
    const [done] = dataOf<SyncJob[]>(await user.api.get(`${JOBS}?status=completed`).expect(200));
    expectFormB(await user.api.post(`${JOBS}/${done?.id}/cancel`), 409, 'CONFLICT');
  });

  it.each([
    [{}, 'jobType'],
    [{ jobType: 'pull' }, 'campaignId'],
    [{ jobType: 'pull', campaignId: UNKNOWN }, 'campaignId'],
    [{ jobType: 'push', filter: { ownerId: '1' } }, 'filter'],
    [{ jobType: 'push', leadFilter: { status: 'active' } }, 'leadFilter'],
    [{ jobType: 'push', entityType: 'companies' }, 'entityType'],
    [{ jobType: 'push', leadIds: [UNKNOWN] }, 'leadIds'],
  ])('are refused when %j requests them', async (body, name) => {
    const response = await user.api.post('/v1/integrations/crm/hubspot/sync').send(body).expect(400);
    expect(JSON.stringify(response.body)).toContain(name);
  });

  it.each([
    ['get', ''],
    ['get', '/details'],
    ['get', '/records'],
    ['post', '/cancel'],
  ] as const)('are not there for %s with an unknown id%s', async (method, path) => {
    for (const id of [UNKNOWN, 'nonsense']) {
      const response = await user.api[method](`${JOBS}/${id}${path}`);
      expectFormB(response, 404, 'NOT_FOUND');
      expect(response.body).toMatchObject({ error: { message: 'CRM sync job not found' } });
    }
  });

  it('exist for known and connected CRMs only', async () => {
    const body = { jobType: 'push' };
    expectFormB(await user.api.post('/v1/integrations/crm/nothing/sync').send(body), 404, 'NOT_FOUND');
    expectFormB(await user.api.post('/v1/integrations/crm/zoho/sync').send(body), 409, 'CRM_NOT_CONNECTED');
  });
});
