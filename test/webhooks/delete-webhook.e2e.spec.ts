import { WebhookErasureService } from '@domain/webhooks';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { readContent, expectFormA, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Hook } from './webhooks';
import { recordsOf, storedDeliveries, storedDelivery } from './webhook-records';

const HOUR_MS = 3_600_000;

describe('DELETE /v1/webhooks/:webhookId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let hook: Hook;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    await platform.tick('webhook-erasure'); // a schedule that is first seen is due at the next run
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    hook = await Hook.make(platform, workspace);
  });
  afterAll(() => platform.close());

  const cleared = async () => {
    platform.clock.advance(60_000);
    await platform.tick('webhook-erasure');
    await platform.drain();
  };
  const left = async () => {
    const content = await readContent(platform.app.get<Connection>(getConnectionToken()).db!);
    const naming = Object.entries(content).filter(([, found]) => JSON.stringify(found).includes(hook.made._id));
    return naming.map(([name]) => name).toSorted();
  };
  const logged = () =>
    recordsOf(platform, 'WebhookDeliveryRecord').countDocuments({ workspaceId: workspace.workspaceId });

  it('answers a message, and every route answers 404 for it at once', async () => {
    const deliveryId = await storedDelivery(platform, hook.made);
    const response = await hook.delete();
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { success: true, data: { message: 'Webhook deleted' } },
    });
    const { api, path } = hook;
    expectFormA(await api.get(path), 404);
    expectFormA(await hook.delete(), 404);
    expectFormA(await api.patch(path).send({ name: 'x' }), 404);
    expectFormA(await api.get(`${path}/health`), 404);
    expectFormA(await api.get(`${path}/deliveries`), 404);
    expectFormA(await api.get(`${path}/deliveries/${deliveryId}`), 404);
    expectFormA(await hook.redeliver(deliveryId), 404);
    expectFormA(await api.post(`${path}/rotate-secret`), 404);
    expectFormA(await api.post(`${path}/test`).send({}), 404);
    expect(dataOf(await api.get('/v1/webhooks'))).toEqual([]);
    expect(await auditedActions(platform, workspace)).toContain('webhook.deleted');
  });

  it('leaves only the audit log after the worker’s erasure', async () => {
    await hook.happen(3);
    await hook.deliver();
    await storedDelivery(platform, hook.made);
    const other = await Hook.make(platform, workspace);
    const kept = await storedDelivery(platform, other.made);
    await hook.delete();
    await cleared();
    expect(await other.deliveries()).toMatchObject([{ _id: kept }]);
    expect(await left()).toEqual(['audit_entries', 'webhook_work_partitions']);
    // A process with outdated data writes for it once more.
    await storedDelivery(platform, hook.made);
    platform.clock.advance(HOUR_MS);
    await cleared();
    expect(await left()).toEqual(['audit_entries']);
  });

  it('continues an interrupted erasure', async () => {
    await storedDeliveries(platform, hook.made, 1_001);
    await hook.delete();
    const erasure = platform.app.get(WebhookErasureService, { strict: false });
    const stop = new AbortController();
    // The worker stops after the first batch.
    const records = recordsOf(platform, 'WebhookDeliveryRecord');
    const deleteMany = jest.spyOn(records, 'deleteMany').mockImplementationOnce((filter) => {
      stop.abort();
      deleteMany.mockRestore();
      return records.deleteMany(filter);
    });
    await expect(erasure.eraseDeleted(stop.signal)).rejects.toThrow('aborted');
    expect(await logged()).toBe(1);
    await erasure.eraseDeleted(new AbortController().signal);
    expect(await logged()).toBe(0);
  });

  it('requires the same key as bearer; answers 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    const { api, path } = hook;
    expectFormA(await api.delete(path), 401);
    expectFormA(await api.with({ Authorization: `Bearer ${workspace.owner.key}` }).delete(path), 401);
    expectFormA(await api.with({ Authorization: workspace.key }).delete(path), 401);
    const remove = (id: string, key = workspace.key) =>
      platform.api
        .as(key)
        .with({ Authorization: `Bearer ${key}` })
        .delete(`/v1/webhooks/${id}`);
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) expectFormA(await remove(id), 404, /^Webhook not found$/);
    const writing = await platform.seed.workspaceKey(workspace.workspaceId, ['read', 'write']);
    expectFormA(await remove(hook.made._id, writing), 403, 'permission');
    await hook.api.get(hook.path).expect(200);
  });
});
