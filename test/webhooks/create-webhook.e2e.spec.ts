import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, newMember } from '../workspaces/people';
import { newWebhook, SECRET, subscribing } from './webhooks';
import { recordsOf } from './webhook-records';
import { type Webhook } from './webhook-responses';

describe('POST /v1/webhooks', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const post = (body: object, key = workspace.key) => platform.api.as(key).post('/v1/webhooks').send(body);
  const stored = () => recordsOf(platform, 'WebhookRecord').countDocuments({}, { allWorkspaces: 'a test' });

  it('creates an active webhook, and answers 201 with exactly the documented fields', async () => {
    const response = await post(subscribing({ name: ' CRM ', retryAttempts: 0, timeoutMs: 30_000 }));
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          _id: ID,
          workspaceId: workspace.workspaceId,
          name: 'CRM',
          url: 'http://127.0.0.1:9/hook',
          events: ['email.sent', 'email.replied'],
          secret: SECRET,
          retryAttempts: 0,
          timeoutMs: 30_000,
          status: 'active',
          createdBy: workspace.owner.userId,
          createdAt: ISO,
          updatedAt: ISO,
        },
      },
    });
    const read = await platform.api.as(workspace.key).get(`/v1/webhooks/${dataOf<Webhook>(response)._id}`);
    expect(dataOf(read)).toEqual(dataOf(response));
  });

  it('uses defaults for omitted fields', async () => {
    expect(await newWebhook(platform, workspace)).toMatchObject({ retryAttempts: 5, timeoutMs: 10_000 });
  });

  it('gives each webhook a secret of its own, and stores it encrypted', async () => {
    const [one, other] = [await newWebhook(platform, workspace), await newWebhook(platform, workspace)];
    expect(one.secret).not.toBe(other.secret);
    const records = await recordsOf(platform, 'WebhookRecord').find({ workspaceId: workspace.workspaceId }).lean();
    for (const { secret } of [one, other]) expect(JSON.stringify(records)).not.toContain(secret.slice(6));
  });

  it('records the creator: the user of the key, or the owner for a workspace key', async () => {
    const admin = await newMember(platform, workspace, 'admin');
    const made = await platform.api.as(admin.key).in(workspace.workspaceId).post('/v1/webhooks').send(subscribing());
    expect(dataOf(made)).toMatchObject({ createdBy: admin.userId });
    expect(await newWebhook(platform, workspace)).toMatchObject({ createdBy: workspace.owner.userId });
  });

  it('requires an admin', async () => {
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.post('/v1/webhooks').send(subscribing()), 403, 'permission');
    for (const scopes of [['read'], ['read', 'write']] as const) {
      const key = await platform.seed.workspaceKey(workspace.workspaceId, [...scopes]);
      expectFormA(await post(subscribing(), key), 403, 'permission');
    }
  });

  it('is recorded in the audit log, without the secret', async () => {
    const { secret } = await newWebhook(platform, workspace);
    expect(await auditedActions(platform, workspace)).toContain('webhook.created');
    const { text } = await platform.api.as(workspace.key).get('/v1/audit?targetType=webhook').expect(200);
    expect(text).toContain('http://127.0.0.1:9/hook');
    expect(text).not.toContain(secret.slice(6));
    expect(text).not.toContain('v1.k1');
  });

  it('runs once for a repeated Idempotency-Key, with the same secret', async () => {
    const ask = () => post(subscribing()).set('Idempotency-Key', 'subscribe-once');
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
  });

  it('accepts values at the limits', async () => {
    const url = `https://example.com/${'x'.repeat(2_028)}`;
    expect(url).toHaveLength(2_048);
    const most = { name: 'x'.repeat(200), url, retryAttempts: 10, timeoutMs: 30_000 };
    expect(await newWebhook(platform, workspace, most)).toMatchObject(most);
    expect(await newWebhook(platform, workspace, { timeoutMs: 1_000 })).toMatchObject({ timeoutMs: 1_000 });
  });

  it('refuses invalid input, names the field and stores nothing', async () => {
    const cases: [object, string][] = [
      [{ name: undefined }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ url: undefined }, 'url'],
      [{ url: '' }, 'url'],
      [{ url: 'crm.example.com' }, 'url'],
      [{ url: '/hook' }, 'url'],
      [{ url: 'ftp://example.com/' }, 'url'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ url: 'https://user@example.com/' }, 'url'],
      [{ url: 'https://user:password@example.com/' }, 'url'],
      [{ url: 'https://exa mple.com/' }, 'url'],
      [{ url: 'https://example.com/\r\nX: y' }, 'url'],
      [{ url: `https://example.com/${'x'.repeat(2_029)}` }, 'url'],
      [{ url: 'http://169.254.169.254/latest/meta-data' }, 'url'],
      [{ url: 'http://[fe80::1]/' }, 'url'],
      [{ url: ['https://example.com/'] }, 'url'],
      [{ events: undefined }, 'events'],
      [{ events: [] }, 'events'],
      [{ events: 'email.sent' }, 'events'],
      [{ events: ['email.sent', 'email.sent'] }, 'events'],
      [{ events: ['email.forwarded'] }, 'events'],
      [{ events: ['*'] }, 'events'],
      [{ retryAttempts: -1 }, 'retryAttempts'],
      [{ retryAttempts: 11 }, 'retryAttempts'],
      [{ retryAttempts: 1.5 }, 'retryAttempts'],
      [{ retryAttempts: '5' }, 'retryAttempts'],
      [{ retryAttempts: null }, 'retryAttempts'],
      [{ timeoutMs: 999 }, 'timeoutMs'],
      [{ timeoutMs: 30_001 }, 'timeoutMs'],
      [{ status: 'inactive' }, 'status'],
      [{ secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' }, 'secret'],
      [{ workspaceId: '0123456789abcdef01234567' }, 'workspaceId'],
      [{ stats: { totalDelivered: 5 } }, 'stats'],
      [{ createdBy: '0123456789abcdef01234567' }, 'createdBy'],
    ];
    const before = await stored();
    await inEachRow(cases, async ([more, field]) =>
      expectFormB(await post(subscribing(more)), 400, 'VALIDATION_ERROR', field),
    );
    expect(await stored()).toBe(before);
  });

  it('creates at most 50 in a workspace, whatever the number of parallel requests', async () => {
    const records = recordsOf(platform, 'WebhookRecord');
    const { _id, ...first } = (await records
      .findById((await newWebhook(platform, workspace))._id, {}, { allWorkspaces: 'a test' })
      .lean())!;
    expect(_id).toBeDefined();
    await records.collection.insertMany(Array.from({ length: 47 }, () => ({ ...first })) as never);
    const responses = await Promise.all(Array.from({ length: 5 }, () => post(subscribing())));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectFormB(response, 409, 'LIMIT_EXCEEDED');
      expect(response.text).toContain('50');
    }
    const other = await platform.seed.workspace();
    await post(subscribing(), other.key).expect(201);
  });
});
