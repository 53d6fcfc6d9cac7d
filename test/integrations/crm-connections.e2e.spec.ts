import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { CrmVendors } from './crms';

describe('the connections to CRMs', () => {
  let vendors: CrmVendors;
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    vendors = await CrmVendors.start();
    platform = await startPlatform({ env: vendors.env, worker: true });
  });
  afterAll(async () => {
    await platform.close();
    await vendors.close();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    vendors.consents.more = {};
  });

  const api = () => platform.api.as(workspace.key);
  const read = async <T = Record<string, unknown>>(path: string): Promise<T> =>
    ((await api().get(path).expect(200)).body as { data: T }).data;
  const NONE = { enabled: false, status: 'disconnected', lastSyncAt: null, totalPulled: 0, totalPushed: 0 };
  const NOTHING = {
    slack: { connected: false, teamName: '' },
    clay: { enabled: false },
    crm: { hubspot: NONE, salesforce: NONE, pipedrive: NONE, zoho: NONE, close: NONE, attio: NONE },
  };
  const start = async (type: string, body: object = {}): Promise<{ _id: string; authUrl: string }> => {
    const started = await api().post(`/v1/integrations/crm/${type}/oauth`).send(body).expect(201);
    return (started.body as { data: { _id: string; authUrl: string } }).data;
  };

  it('are all listed, connected or not, exactly as the contract defines', async () => {
    expect(await read('/v1/integrations')).toEqual(NOTHING);
    await api().put('/v1/integrations/hubspot').send({ apiKey: 'canary-token' }).expect(200);
    const tool = { webhookUrl: 'https://tables.example.com/hook', mapping: { title: 'jobTitle' } };
    await api().put('/v1/integrations/clay').send(tool).expect(200);
    expect(await read('/v1/integrations')).toEqual({
      ...NOTHING,
      clay: { enabled: true },
      crm: { ...NOTHING.crm, hubspot: { ...NONE, enabled: true, status: 'connected' } },
    });
    await api()
      .put('/v1/integrations/clay')
      .send({ ...tool, webhookUrl: undefined, enabled: false })
      .expect(200);
    expect(await read('/v1/integrations')).toMatchObject({ clay: { enabled: false } });
    await api().delete('/v1/integrations/clay').expect(200);
    await api().get('/v1/integrations/clay').expect(404);
  });

  it('are created by a key, with the mapping rules whose fields the account has', async () => {
    const put = await api().put('/v1/integrations/hubspot').send({ apiKey: 'canary-token' }).expect(200);
    expect((put.body as { data: object }).data).toMatchObject({
      crmType: 'hubspot',
      status: 'connected',
      authMethod: 'key',
    });
    const { fields } = await read<{ fields: { name: string }[] }>('/v1/integrations/crm/hubspot/fields');
    expect(fields.map(({ name }) => name)).toContain('firstname');
    const { rules } = await read<{ rules: { lead: string; crm: string }[] }>('/v1/integrations/crm/hubspot/mapping');
    expect(rules).toContainEqual(expect.objectContaining({ lead: 'firstName', crm: 'firstname', type: 'text' }));
    const test = await api().post('/v1/integrations/crm/hubspot/test').expect(200);
    expect((test.body as { data: object }).data).toMatchObject({ ok: true, error: null });
    await api().delete('/v1/integrations/hubspot').expect(200);
    await api().get('/v1/integrations/hubspot').expect(404);
  });

  it('are refused with the name of the invalid field', async () => {
    const cases: readonly (readonly [string, object, string])[] = [
      ['hubspot', { apiKey: 'wrong-canary' }, 'apiKey'],
      ['hubspot', { enabled: true }, 'apiKey'],
      ['hubspot', { apiKey: 'canary-token', accountUrl: 'https://acme.hubspot.com' }, 'accountUrl'],
      ['pipedrive', { apiKey: 'canary-token', accountUrl: 'https://pipedrive.com.evil.example' }, 'accountUrl'],
      ['salesforce', { apiKey: 'canary-token' }, 'apiKey'],
      ['hubspot', { apiKey: 'with a blank' }, 'apiKey'],
      ['hubspot', { apiKey: 'canary-token', ownerPolicy: 'set' }, 'ownerId'],
    ];
    for (const [type, body, field] of cases) {
      const refused = await api().put(`/v1/integrations/${type}`).send(body).expect(400);
      expect(refused.body).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: [{ field }] } });
      expect(JSON.stringify(refused.body)).not.toContain('canary');
    }
  });

  it('answer 404 to an unknown CRM', async () => {
    const path = '/v1/integrations/toolbox';
    const all = [await api().get(path), await api().put(path).send({ apiKey: 'x' }), await api().delete(path)];
    for (const { status, body } of all) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ success: false, error: { code: 'NOT_FOUND', message: 'Integration not found' } });
    }
  });

  it('are created by consent, with the account’s own API address', async () => {
    vendors.salesforce.tokens.clear();
    vendors.consents.tokens = vendors.salesforce.tokens;
    vendors.consents.more = { instance_url: vendors.salesforce.baseUrl, expires_in: undefined };
    const { _id, authUrl } = await start('salesforce', { redirectUrl: 'https://app.example.com/done' });
    const back = await platform.api.get(vendors.consents.consent(authUrl)).expect(303);
    const { location = '' } = back.headers as { location?: string };
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({ session: _id, status: 'completed' });
    expect(await read(`/v1/integrations/crm/oauth-sessions/${_id}`)).toMatchObject({
      name: 'salesforce',
      status: 'completed',
    });
    expect(await read('/v1/integrations/salesforce')).toMatchObject({ authMethod: 'consent', status: 'connected' });
    vendors.consents.tokens = vendors.hubspot.tokens;
  });

  it('are refused when the vendor names an API address outside its domain', async () => {
    vendors.consents.more = { instance_url: 'https://evil.example' };
    const { _id, authUrl } = await start('salesforce');
    const page = await platform.api.get(vendors.consents.consent(authUrl)).expect(200);
    expect(page.text).toContain('was not connected');
    expect(await read(`/v1/integrations/crm/oauth-sessions/${_id}`)).toMatchObject({
      status: 'failed',
      error: { code: 'INTEGRATION_CONSENT_FAILED' },
    });
    await api().get('/v1/integrations/salesforce').expect(404);
  });

  it('are created once per state, and not with the state of another vendor', async () => {
    const { authUrl } = await start('hubspot');
    const path = vendors.consents.consent(authUrl);
    await platform.api.get(path.replace('/hubspot/', '/close/')).expect(400);
    await platform.api.get(path).expect(200);
    await platform.api.get(path).expect(400);
  });

  it('are checked daily: a lost one is detected, recorded as an event, and restored by a test', async () => {
    await api().put('/v1/integrations/hubspot').send({ apiKey: 'canary-token' }).expect(200);
    await platform.tick();
    vendors.hubspot.tokens.delete('canary-token');
    platform.clock.advance(25 * 3_600_000);
    await platform.tick();
    await platform.drain();
    const before = await read('/v1/integrations');
    const { data } = (await api().get('/v1/events?type=integration.disconnected').expect(200)).body as {
      data: unknown[];
    };
    vendors.hubspot.tokens.add('canary-token');
    expect(before).toMatchObject({ crm: { hubspot: { enabled: true, status: 'disconnected' } } });
    expect(data).toMatchObject([{ type: 'integration.disconnected', data: { name: 'hubspot' } }]);
    await api().post('/v1/integrations/crm/hubspot/test').expect(200);
    expect(await read('/v1/integrations')).toMatchObject({ crm: { hubspot: { status: 'connected' } } });
  });

  it('name the faults of invalid mapping rules', async () => {
    await api().put('/v1/integrations/hubspot').send({ apiKey: 'canary-token' }).expect(200);
    const rule = { lead: 'jobTitle', crm: 'no_such_field', direction: 'both' };
    const set = (rules: object[]) => api().put('/v1/integrations/crm/hubspot/mapping').send({ rules });
    expect((await set([rule]).expect(400)).body).toMatchObject({ error: { details: [{ field: 'rules.0.crm' }] } });
    await set([{ ...rule, crm: 'jobtitle' }]).expect(200);
    const { rules } = await read<{ rules: object[] }>('/v1/integrations/crm/hubspot/mapping');
    expect(rules).toEqual([{ ...rule, crm: 'jobtitle', overwrite: 'when_empty', values: null, type: 'text' }]);
  });

  it('show and log no key and no token', async () => {
    expect(platform.logged()).not.toContain('canary');
  });
});
