import { QueuesService } from '@platform/queues';
import { accepts, answers, TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type Delivery } from './webhook-responses';
import { Hook } from './webhooks';
import { recordsOf, storedDelivery } from './webhook-records';

describe('POST /v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;
  let hook: Hook;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
  });
  beforeEach(async () => {
    receiver = await TestReceiver.start();
    workspace = await platform.seed.workspace();
    hook = await Hook.make(platform, workspace, { url: receiver.url, retryAttempts: 1 });
  });
  afterEach(() => receiver.close());
  afterAll(() => platform.close());

  /** Outcome of one event with the given response of the receiver. */
  async function sent(answer = accepts): Promise<Delivery> {
    receiver.answer = answer;
    await hook.happen();
    await hook.deliver();
    const [delivery] = await hook.deliveries();
    return delivery!;
  }
  /** The same, after the last attempt. */
  async function givenUp(): Promise<Delivery> {
    const delivery = await hook.attemptNext((await sent(answers(500)))._id);
    expect(delivery).toMatchObject({ state: 'failed', attemptCount: 2, nextAttemptAt: null });
    return delivery;
  }
  const asked = (id: string) => hook.redeliver(id).expect(202);
  const audited = async () =>
    (await auditedActions(platform, workspace)).filter((action) => action === 'webhook.redelivered');

  it('makes one more attempt of a failed delivery, with the same bytes under the same id', async () => {
    const { _id, eventId } = await givenUp();
    receiver.answer = accepts;
    expect(dataOf(await asked(_id))).toMatchObject({ _id, state: 'failed', redeliveryRequestedAt: ISO });
    await platform.drain();
    expect(receiver.ids).toEqual([eventId, eventId, eventId]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const after = await hook.delivery(_id);
    expect(after).toMatchObject({ state: 'delivered', attemptCount: 3, redeliveryRequestedAt: null, deliveredAt: ISO });
    expect(after.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'automatic', 'manual']);
    expect(await hook.stats()).toMatchObject({ totalDelivered: 1, totalFailed: 0 });
    expect(await audited()).toHaveLength(1);
  });

  it('repeats a successful delivery, counts it once, and is refused while the webhook is inactive', async () => {
    const { _id, deliveredAt } = await sent();
    // Refused while the webhook is inactive.
    await hook.update({ status: 'inactive' });
    expectFormB(await hook.redeliver(_id), 409, 'CONFLICT');
    expect(await hook.delivery(_id)).toMatchObject({ redeliveryRequestedAt: null });
    await hook.update({ status: 'active' });
    await asked(_id);
    await platform.drain();
    expect(receiver.received).toHaveLength(2);
    expect(await hook.delivery(_id)).toMatchObject({ state: 'delivered', attemptCount: 2, deliveredAt });
    expect(await hook.stats()).toMatchObject({ totalDelivered: 1, totalFailed: 0 });
  });

  it('neither resets nor duplicates the schedule of a pending delivery', async () => {
    const { _id, nextAttemptAt } = await sent(answers(500));
    await asked(_id);
    await platform.drain();
    expect(await hook.delivery(_id)).toMatchObject({ state: 'pending', attemptCount: 2, nextAttemptAt });
    expect(await hook.attemptNext(_id)).toMatchObject({ state: 'failed', attemptCount: 3, nextAttemptAt: null });
    expect(await hook.stats()).toMatchObject({ totalDelivered: 0, totalFailed: 1 });
  });

  it('ends the schedule when it succeeds', async () => {
    const { _id } = await sent(answers(500));
    receiver.answer = accepts;
    await asked(_id);
    await platform.drain();
    expect(await hook.delivery(_id)).toMatchObject({ state: 'delivered', nextAttemptAt: null });
    platform.clock.advance(86_400_000);
    await hook.deliver();
    expect(receiver.received).toHaveLength(2);
  });

  it('is one attempt for any number of requests while no worker runs', async () => {
    const id = await storedDelivery(platform, hook.made);
    const queue = platform.app.get(QueuesService).get('webhook-work');
    await queue.pause();
    const answered = [
      ...(await Promise.all([hook.redeliver(id), hook.redeliver(id), hook.redeliver(id)])),
      await hook.redeliver(id),
    ];
    const times = new Set(answered.map((response) => dataOf<Delivery>(response).redeliveryRequestedAt));
    expect([...times]).toEqual([ISO]);
    const acts = (await auditedActions(platform, workspace)).filter((action) => action.startsWith('webhook.'));
    expect(acts).toEqual(['webhook.redelivered', 'webhook.created']);
    const { workspaceId } = workspace;
    expect(await recordsOf(platform, 'WebhookWorkPartitionRecord').countDocuments({ workspaceId })).toBe(1);
    expect(receiver.received).toEqual([]);
    await queue.resume();
    await platform.drain();
    expect(receiver.received).toHaveLength(1);
    expect(await hook.delivery(id)).toMatchObject({ state: 'delivered', attemptCount: 2, redeliveryRequestedAt: null });
  });

  it('is one attempt for any number of requests before that attempt', async () => {
    const { _id } = await givenUp();
    const before = receiver.received.length;
    const answered = await Promise.all(Array.from({ length: 4 }, () => hook.redeliver(_id)));
    expect(answered.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    await platform.drain();
    const attempts = receiver.received.length - before;
    // A worker may have made the attempt between two requests: then the next request is a new one.
    expect((await hook.delivery(_id)).attemptCount).toBe(2 + attempts);
    expect(await audited()).toHaveLength(attempts);
  });

  it('answers 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    const _id = await storedDelivery(platform, hook.made);
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await hook.redeliver(id), 404, /^Delivery not found$/);
      expectFormA(await hook.api.post(`/v1/webhooks/${id}/deliveries/${_id}/redeliver`), 404, /^Webhook not found$/);
    }
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.post(`${hook.path}/deliveries/${_id}/redeliver`), 403, 'permission');
    await platform.drain();
    expect(receiver.received).toEqual([]);
    expect(await audited()).toEqual([]);
  });
});
