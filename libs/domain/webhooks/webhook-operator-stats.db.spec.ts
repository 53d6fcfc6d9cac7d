import { type WebhookRecord } from './schemas/webhook.record';
import { answers, TestReceiver } from './testing/test-receiver';
import { id, WebhooksFixture } from './testing/webhooks-fixture';
import { WebhookOperatorService } from './webhook-operator.service';

describe('the webhook operator service', () => {
  let platform: WebhooksFixture;
  let receiver: TestReceiver;

  beforeAll(async () => {
    platform = await WebhooksFixture.open();
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    receiver = await TestReceiver.start();
  });
  afterEach(() => receiver.close());

  const recount = (workspaceId: unknown, isCheck = false) =>
    platform.get(WebhookOperatorService).rebuildStats(String(workspaceId), { isCheck });

  /** Creates three deliveries: two accepted, one failed. */
  async function delivered(): Promise<WebhookRecord> {
    const webhook = await platform.webhook(receiver.url, { retryAttempts: 0 });
    receiver.next.push(answers(500));
    await platform.recordEvents(webhook.workspaceId, 3);
    await platform.relay();
    await platform.deliver(webhook);
    return webhook;
  }
  const setStats = (webhook: WebhookRecord, stats: Partial<WebhookRecord['stats']>) =>
    platform.webhooks.updateOne(
      { _id: webhook._id, workspaceId: webhook.workspaceId },
      { $set: Object.fromEntries(Object.entries(stats).map(([name, value]) => [`stats.${name}`, value])) },
      { timestamps: false },
    );

  it('finds no difference when the statistics match the log', async () => {
    const webhook = await delivered();
    const { stats } = await platform.stored(webhook);
    expect([stats.totalDelivered, stats.totalFailed]).toEqual([2, 1]);
    expect(await recount(webhook.workspaceId)).toEqual({ webhooks: 1, exact: 1, differences: [] });
  });

  it('corrects statistics that contradict the log; a check only reports them', async () => {
    const webhook = await delivered();
    const right = (await platform.stored(webhook)).stats;
    await setStats(webhook, { totalDelivered: 7, totalFailed: 0, lastDeliveredAt: null });
    const webhookId = webhook._id.toHexString();
    const differences = [
      { webhookId, figure: 'totalDelivered', is: 7, shouldBe: 2 },
      { webhookId, figure: 'totalFailed', is: 0, shouldBe: 1 },
      { webhookId, figure: 'lastDeliveredAt', is: null, shouldBe: expect.any(String) as string },
    ];
    for (const isCheck of [true, true, false]) {
      expect(await recount(webhook.workspaceId, isCheck)).toEqual({ webhooks: 1, exact: 1, differences });
    }
    const after = await platform.stored(webhook);
    expect([after.stats.totalDelivered, after.stats.totalFailed]).toEqual([2, 1]);
    expect(after.stats.lastDeliveredAt!.getTime()).toBeLessThanOrEqual(right.lastDeliveredAt!.getTime());
    expect(after.updatedAt).toEqual(webhook.updatedAt);
    expect((await recount(webhook.workspaceId)).differences).toEqual([]);
  });

  it('accepts higher statistics for a webhook older than its log, not lower ones', async () => {
    const webhook = await delivered();
    const ofWebhook = { _id: webhook._id, workspaceId: webhook.workspaceId };
    const createdAt = platform.clock.in(-31 * 86_400_000);
    await platform.webhooks.collection.updateOne(ofWebhook, { $set: { createdAt } });
    await setStats(webhook, { totalDelivered: 5_000, totalFailed: 0 });
    expect(await recount(webhook.workspaceId)).toEqual({
      webhooks: 1,
      exact: 0,
      differences: [{ webhookId: webhook._id.toHexString(), figure: 'totalFailed', is: 0, shouldBe: 1 }],
    });
    expect((await platform.stored(webhook)).stats).toMatchObject({ totalDelivered: 5_000, totalFailed: 1 });
  });

  it('recounts only the given workspace', async () => {
    const webhook = await delivered();
    await setStats(webhook, { totalDelivered: 9 });
    expect(await recount(id())).toEqual({ webhooks: 0, exact: 0, differences: [] });
    expect((await platform.stored(webhook)).stats.totalDelivered).toBe(9);
  });

  it('lists webhooks of all workspaces or one, without secrets and without path or query of the address', async () => {
    const [one, other] = [await platform.webhook('https://a.test:8443/canary?token=canary'), await delivered()];
    const oversight = platform.get(WebhookOperatorService);
    const all = await oversight.list({ limit: 2 });
    expect(all.map(({ webhookId }) => webhookId)).toEqual([String(other._id), String(one._id)]);
    expect(JSON.stringify(all)).not.toMatch(/canary|whsec_|secret/i);
    expect(await oversight.list({ workspaceId: String(one.workspaceId), limit: 10 })).toEqual([
      {
        webhookId: String(one._id),
        workspaceId: String(one.workspaceId),
        name: 'CRM',
        origin: 'https://a.test:8443',
        status: 'active',
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        totalDelivered: 0,
        totalFailed: 0,
        lastDeliveredAt: null,
      },
    ]);
  });

  it('finds the workspace of a webhook and of a delivery', async () => {
    const webhook = await delivered();
    const [delivery] = await platform.log(webhook);
    const oversight = platform.get(WebhookOperatorService);
    const workspaceId = String(webhook.workspaceId);
    expect(await oversight.requireWorkspaceId(String(webhook._id))).toBe(workspaceId);
    expect(await oversight.requireDelivery(String(delivery!._id))).toEqual({
      workspaceId,
      webhookId: String(webhook._id),
    });
    for (const unknown of ['x', id().toHexString()]) {
      await expect(oversight.requireWorkspaceId(unknown)).rejects.toMatchObject({ message: 'Webhook not found' });
      await expect(oversight.requireDelivery(unknown)).rejects.toMatchObject({ message: 'Delivery not found' });
    }
  });
});
