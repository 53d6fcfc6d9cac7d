import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type ListedWebhook, type Webhook } from './webhook-responses';
import { newWebhook } from './webhooks';
import { recordsOf } from './webhook-records';

interface Page {
  data: ListedWebhook[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('the reads of webhooks', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  /** Oldest first. */
  let webhooks: Webhook[];

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    await newWebhook(platform, await platform.seed.workspace());
    webhooks = [
      await newWebhook(platform, workspace, { name: 'First' }),
      await newWebhook(platform, workspace, { name: 'Second', events: ['email.bounced'] }),
      await newWebhook(platform, workspace, { name: 'Third' }),
    ];
  });
  afterAll(() => platform.close());

  const get = (path: string, key = workspace.key) => platform.api.as(key).get(path);
  const list = async (query = '') => (await get(`/v1/webhooks${query}`)).body as Page;

  describe('GET /v1/webhooks', () => {
    it('lists those of the workspace, newest first, with their figures', async () => {
      const page = await list();
      const none = { totalDelivered: 0, totalFailed: 0, lastDeliveredAt: null };
      expect(page.data).toEqual(webhooks.toReversed().map((webhook) => ({ ...webhook, stats: none })));
      expect(page.pagination).toEqual({ limit: 25, total: 3, hasMore: false, nextCursor: null });
    });

    it('shows the stored figures', async () => {
      const { _id, workspaceId } = webhooks[1]!;
      const lastDeliveredAt = new Date('2026-11-01T10:00:00.123Z');
      const stats = { totalDelivered: 12_345, totalFailed: 6, lastDeliveredAt };
      await recordsOf(platform, 'WebhookRecord').updateOne(
        { _id, workspaceId },
        { $set: { stats } },
        { timestamps: false },
      );
      const [, second] = (await list()).data;
      expect(second).toEqual({ ...webhooks[1], stats: { ...stats, lastDeliveredAt: lastDeliveredAt.toISOString() } });
    });

    it('pages by cursor', async () => {
      const first = await list('?limit=2');
      expect(first.pagination).toMatchObject({ limit: 2, total: 3, hasMore: true });
      const second = await list(`?limit=2&cursor=${encodeURIComponent(first.pagination.nextCursor!)}`);
      expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['Third', 'Second', 'First']);
      expect(second.pagination).toEqual({ limit: 2, total: 3, hasMore: false, nextCursor: null });
    });

    it.each([
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
      ['?limit=ten', 'limit'],
      ['?cursor=x', 'cursor'],
      ['?status=active', 'status'],
      ['?search=x', 'search'],
    ])('refuses %s', async (query, field) => {
      expectFormB(await get(`/v1/webhooks${query}`), 400, 'VALIDATION_ERROR', field);
    });
  });

  describe('GET /v1/webhooks/:webhookId', () => {
    it('answers exactly the documented fields, without figures', async () => {
      const webhook = dataOf<Webhook>(await get(`/v1/webhooks/${webhooks[0]!._id}`));
      expect(webhook).toEqual(webhooks[0]);
      expect(Object.keys(webhook).toSorted()).toEqual([
        '_id',
        'createdAt',
        'createdBy',
        'events',
        'name',
        'retryAttempts',
        'secret',
        'status',
        'timeoutMs',
        'updatedAt',
        'url',
        'workspaceId',
      ]);
    });

    it('answers 404 Form A to an unknown and a malformed id', async () => {
      for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
        expectFormA(await get(`/v1/webhooks/${id}`), 404, /^Webhook not found$/);
      }
    });
  });

  it('requires an admin, as the responses contain the secret', async () => {
    const member = await newMember(platform, workspace);
    const admin = await newMember(platform, workspace, 'admin');
    for (const path of ['/v1/webhooks', `/v1/webhooks/${webhooks[0]!._id}`]) {
      const asks = (key: string) => platform.api.as(key).in(workspace.workspaceId).get(path);
      expectFormA(await asks(member.key), 403, 'permission');
      await asks(admin.key).expect(200);
      for (const scopes of [['read'], ['read', 'write']] as const) {
        expectFormA(await get(path, await platform.seed.workspaceKey(workspace.workspaceId, [...scopes])), 403);
      }
    }
  });

  it('writes no secret to the log', () => {
    expect(platform.logged()).toContain('/v1/webhooks');
    for (const { secret } of webhooks) expect(platform.logged()).not.toContain(secret.slice(6));
  });
});
