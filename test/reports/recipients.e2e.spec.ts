import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { newCampaign } from '../campaigns/campaigns';
import { auditedActions, dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { addRecipient, type Recipient, RECIPIENTS } from './reporting';

describe('/v1/reports/recipients', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    // A Wednesday.
    platform.clock.freeze(new Date('2026-03-25T12:00:00Z'));
    workspace = await platform.seed.workspace();
  });

  const as = (key = workspace.key) => platform.api.as(key);
  const post = (body: object, key?: string) => as(key).post(RECIPIENTS).send(body);
  const ada = { name: 'Ada', email: 'Ada@Example.com' };

  it('creates a recipient with exactly the documented fields', async () => {
    const { _id: campaignId } = await newCampaign(platform, workspace);
    const response = await post({
      ...ada,
      company: 'Analytical Engines',
      role: 'CEO',
      reportType: 'campaign',
      campaignIds: [campaignId],
      schedule: { frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'Europe/Berlin' },
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        _id: ID,
        name: 'Ada',
        email: 'ada@example.com',
        company: 'Analytical Engines',
        role: 'CEO',
        reportType: 'campaign',
        campaignIds: [campaignId],
        active: true,
        schedule: {
          enabled: true,
          frequency: 'weekly',
          dayOfWeek: 1,
          timeOfDay: '08:00',
          timezone: 'Europe/Berlin',
          // Daylight saving time begins in the night before.
          nextScheduledAt: '2026-03-30T06:00:00.000Z',
        },
        totalReportsSent: 0,
        createdAt: ISO,
        updatedAt: ISO,
      },
    });
    const { _id } = dataOf<Recipient>(response);
    expect((await as().get(`${RECIPIENTS}/${_id}`)).body).toEqual(response.body);
    expect((await auditedActions(platform, workspace))[0]).toBe('report_recipient.created');
  });

  it('refuses invalid input and names the field', async () => {
    const cases: [string, object][] = [
      ['name', { name: '' }],
      ['name', { name: 'A'.repeat(201) }],
      ['email', { email: 'ada' }],
      ['company', { company: 'A'.repeat(201) }],
      ['reportType', { reportType: 'mailbox' }],
      ['campaignIds', { reportType: 'campaign' }],
      ['campaignIds', { reportType: 'campaign', campaignIds: [UNKNOWN_ID] }],
      ['campaignIds', { reportType: 'campaign', campaignIds: Array.from({ length: 51 }, () => UNKNOWN_ID) }],
      ['campaignIds', { campaignIds: [UNKNOWN_ID] }],
      ['active', { active: 'yes' }],
      ['schedule.frequency', { schedule: { frequency: 'hourly' } }],
      ['schedule.dayOfWeek', { schedule: { dayOfWeek: 0 } }],
      ['schedule.dayOfWeek', { schedule: { dayOfWeek: 8 } }],
      ['schedule.timeOfDay', { schedule: { timeOfDay: '24:00' } }],
      ['schedule.timezone', { schedule: { timezone: 'Mars/Olympus' } }],
      ['schedule.nextScheduledAt', { schedule: { nextScheduledAt: '2026-03-30T06:00:00.000Z' } }],
      ['totalReportsSent', { totalReportsSent: 7 }],
      ['workspaceId', { workspaceId: UNKNOWN_ID }],
    ];
    for (const [field, wrong] of cases) {
      const response = await post({ ...ada, ...wrong });
      expect({ wrong, status: response.status }).toEqual({ wrong, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
    expect((await as().get(RECIPIENTS)).body).toMatchObject({ data: [] });
  });

  it('refuses a second recipient with the same address', async () => {
    await post(ada).expect(201);
    expectFormB(await post({ ...ada, email: 'ada@example.com' }), 409, 'CONFLICT');
  });

  it('lists recipients in pages, newest first, and searches name, address and company', async () => {
    for (const name of ['One', 'Two', 'Three'])
      await addRecipient(platform, workspace, { name, company: `${name} Ltd.` });
    const first = await as().get(`${RECIPIENTS}?limit=2`);
    const names = (response: { body: unknown }) =>
      (response.body as { data: { name: string }[] }).data.map(({ name }) => name);
    expect(names(first)).toEqual(['Three', 'Two']);
    const { pagination } = first.body as { pagination: { nextCursor: string } };
    expect(pagination).toEqual({ limit: 2, total: 3, hasMore: true, nextCursor: expect.any(String) as unknown });
    expect(names(await as().get(`${RECIPIENTS}?limit=2&cursor=${pagination.nextCursor}`))).toEqual(['One']);
    expect(names(await as().get(`${RECIPIENTS}?search=TWO%20l`))).toEqual(['Two']);
    expectFormB(await as().get(`${RECIPIENTS}?limit=101`), 400, 'VALIDATION_ERROR', 'limit');
  });

  it('changes the given fields, and reschedules the next report', async () => {
    const { _id } = await addRecipient(platform, workspace);
    const patch = (body: object) => as().patch(`${RECIPIENTS}/${_id}`).send(body);
    const daily = dataOf<Recipient>(await patch({ schedule: { frequency: 'daily', timeOfDay: '18:30' } }));
    expect(daily).toMatchObject({ schedule: { dayOfWeek: 1, nextScheduledAt: '2026-03-25T18:30:00.000Z' } });
    const off = dataOf<Recipient>(await patch({ active: false }));
    expect(off).toMatchObject({ active: false, schedule: { enabled: true, nextScheduledAt: null } });
    const on = dataOf<Recipient>(await patch({ active: true, schedule: { frequency: 'monthly' } }));
    expect(on).toMatchObject({ schedule: { nextScheduledAt: '2026-04-06T18:30:00.000Z' } });
    expectFormB(await patch({ schedule: { timezone: null } }), 400, 'VALIDATION_ERROR', 'schedule.timezone');
  });

  it('deletes a recipient', async () => {
    const { _id } = await addRecipient(platform, workspace);
    const response = await as().delete(`${RECIPIENTS}/${_id}`);
    expect(response.body).toEqual({ success: true, data: { message: 'Report recipient deleted' } });
    expectFormB(await as().get(`${RECIPIENTS}/${_id}`), 404, 'NOT_FOUND');
    expectFormB(await as().delete(`${RECIPIENTS}/${_id}`), 404, 'NOT_FOUND');
  });

  it('is shown to members, and changed by admins only', async () => {
    const member = await newMember(platform, workspace);
    const { _id } = await addRecipient(platform, workspace);
    const theirs = platform.api.as(member.key).in(workspace.workspaceId);
    expect((await theirs.get(RECIPIENTS)).status).toBe(200);
    expectFormA(await theirs.post(RECIPIENTS).send(ada), 403);
    expectFormA(await theirs.patch(`${RECIPIENTS}/${_id}`).send({ name: 'Eve' }), 403);
    expectFormA(await theirs.post(`${RECIPIENTS}/${_id}/send-now`), 403);
  });

  it('answers 404 to an unknown or malformed id', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS.slice(0, 3)]) {
      for (const response of [
        await as().get(`${RECIPIENTS}/${id}`),
        await as().patch(`${RECIPIENTS}/${id}`).send({ name: 'Eve' }),
        await as().post(`${RECIPIENTS}/${id}/send-now`),
        await as().get(`${RECIPIENTS}/${id}/reports`),
      ]) {
        expectFormB(response, 404, 'NOT_FOUND');
        expect(response.body).toMatchObject({ error: { message: 'Report recipient not found' } });
      }
    }
  });
});
