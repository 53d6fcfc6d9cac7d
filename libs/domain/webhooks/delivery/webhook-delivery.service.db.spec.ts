import { MetricsService } from '@platform/observability';
import { type WebhookRecord } from '../schemas/webhook.record';
import { accepts, answers, hangs, TestReceiver } from '../testing/test-receiver';
import { WebhooksFixture } from '../testing/webhooks-fixture';
import { createSecret } from '../webhook-secrets';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('delivering to a webhook', () => {
  let fixture: WebhooksFixture;
  let receiver: TestReceiver;

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.clock.reset();
    receiver = await TestReceiver.start();
  });
  afterEach(() => receiver.close());

  const webhook = (fields: Partial<Omit<WebhookRecord, '_id'>> = {}) => fixture.webhook(receiver.url, fields);
  /** Events happen, are handed on and delivered once. */
  async function deliver(to: WebhookRecord, count = 1): Promise<string[]> {
    const ids = await fixture.happen(to.workspaceId, count);
    await fixture.relay();
    await fixture.deliver(to);
    return ids;
  }

  it('sends what happened, signed, under the id of the event, once', async () => {
    const mine = await webhook();
    const ids = await deliver(mine, 3);
    await fixture.deliver(mine);
    expect(receiver.ids.toSorted()).toEqual(ids.toSorted());
    const [first] = receiver.received;
    expect(receiver.verified(first, mine.plainSecret)).toMatchObject({
      id: first?.id,
      type: 'email.sent',
      workspaceId: mine.workspaceId.toHexString(),
    });
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': expect.anything() });
    expect(await fixture.nextAt(mine)).toBeNull();
  });

  it.each([
    ['beyond ASCII', JSON.stringify({ id: 'x', text: 'Grüße, 東京, 😀, \u2028, مرحبا' })],
    ['of one megabyte', JSON.stringify({ id: 'x', text: 'ü😀a'.repeat(150_000) })],
  ])('signs a body %s so that the receiver finds it whole', async (_what, body) => {
    const mine = await webhook();
    const { workspaceId, _id: webhookId } = mine;
    await fixture.happen(workspaceId);
    await fixture.relay();
    await fixture.deliveries.updateOne({ workspaceId, webhookId }, { $set: { body } });
    await fixture.deliver(mine);
    expect(receiver.received[0]?.body).toBe(body);
    expect(receiver.verified(receiver.received[0], mine.plainSecret)).toEqual(JSON.parse(body));
  });

  it('writes down each attempt with what came of it, and counts', async () => {
    receiver.answer = answers(200, {}, 'thanks');
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([
      {
        state: 'delivered',
        attemptsMade: 1,
        attemptCount: 1,
        countedAs: 'delivered',
        attempts: [{ trigger: 'automatic', status: 200, error: null, response: 'thanks', truncated: false }],
      },
    ]);
    const { stats, updatedAt, failingSince } = await fixture.stored(mine);
    expect(stats).toEqual({ totalDelivered: 1, totalFailed: 0, lastDeliveredAt: expect.any(Date) });
    expect(updatedAt).toEqual(mine.updatedAt);
    expect(failingSince).toBeNull();
  });

  it('measures each attempt by what came of it', async () => {
    const counted = async () => {
      const { values } = await fixture.get(MetricsService).webhookAttempts.get();
      const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
      return Object.fromEntries(counts.map(({ labels, value }) => [labels.outcome, value]));
    };
    const before = await counted();
    receiver.next.push(answers(204), answers(404), (response) => response.destroy());
    await deliver(await webhook(), 3);
    const after = await counted();
    for (const outcome of ['accepted', 'refused', 'unanswered']) {
      expect(after[outcome]).toBe((before[outcome] ?? 0) + 1);
    }
  });

  it('keeps 20 000 bytes of the answer', async () => {
    receiver.answer = answers(500, {}, 'x'.repeat(30_000));
    const mine = await webhook();
    await deliver(mine);
    const [attempt] = (await fixture.log(mine))[0]?.attempts ?? [];
    expect(attempt).toMatchObject({ truncated: true, status: 500 });
    expect(attempt?.response).toHaveLength(20_000);
  });

  it('tries again what was not accepted, the same bytes under the same id, until nothing is left to try', async () => {
    receiver.answer = answers(500);
    const mine = await webhook({ retryAttempts: 2 });
    const [event] = await deliver(mine);
    expect(await fixture.nextAt(mine)).toEqual((await fixture.log(mine))[0]?.nextAttemptAt);
    await fixture.deliver(mine); // too early
    for (const wait of [6 * SECOND, 6 * MINUTE, DAY]) {
      fixture.clock.advance(wait);
      await fixture.deliver(mine);
    }
    expect(receiver.ids).toEqual([event, event, event]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const sentAt = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(sentAt).toEqual(sentAt.toSorted((a, b) => a - b));
    expect(await fixture.log(mine)).toMatchObject([{ state: 'failed', attemptsMade: 3, countedAs: 'failed' }]);
    expect((await fixture.stored(mine)).stats).toMatchObject({ totalDelivered: 0, totalFailed: 1 });
    expect(await fixture.nextAt(mine)).toBeNull();
  });

  it('takes a redirect for a failure and does not follow it', async () => {
    const other = await TestReceiver.start();
    receiver.answer = answers(307, { location: other.url });
    const mine = await webhook();
    await deliver(mine);
    expect(other.received).toEqual([]);
    expect(await fixture.log(mine)).toMatchObject([{ state: 'pending', attempts: [{ status: 307 }] }]);
    await other.close();
  });

  it('is patient with a receiver for as long as the webhook says', async () => {
    receiver.answer = hangs;
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([
      { state: 'pending', attempts: [{ status: null, error: { code: 'timeout' } }] },
    ]);
  });

  it('takes a success for one although the rest of the answer does not come', async () => {
    receiver.answer = (response) => void response.writeHead(200).write('so far');
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([
      { state: 'delivered', attempts: [{ status: 200, response: 'so far', truncated: true }] },
    ]);
  });

  it('leaves a receiver alone for as long as it asks, with all that is meant for it', async () => {
    receiver.next.push(answers(429, { 'retry-after': '600' }));
    const mine = await webhook();
    const [first] = await deliver(mine);
    const [second] = await deliver(mine);
    expect(receiver.ids).toEqual([first]);
    const rest = (await fixture.stored(mine)).cooldownUntil;
    expect(await fixture.nextAt(mine)).toEqual(rest);
    fixture.clock.advance(10 * MINUTE + SECOND);
    await fixture.deliver(mine);
    expect(new Set(receiver.ids.slice(1))).toEqual(new Set([first, second]));
    expect(receiver.ids).toHaveLength(3);
    expect((await fixture.stored(mine)).cooldownUntil).toBeNull();
  });

  it('disables a webhook whose receiver is gone, and tells by an event', async () => {
    receiver.answer = answers(410);
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.stored(mine)).toMatchObject({
      status: 'inactive',
      disabledReason: 'gone',
      disabledAt: expect.any(Date),
    });
    expect(await fixture.log(mine)).toMatchObject([{ state: 'failed' }]);
    const told = await fixture.eventRecords.find({ workspaceId: mine.workspaceId, type: 'webhook.disabled' }).lean();
    expect(told).toMatchObject([{ data: { webhookId: mine._id.toHexString(), name: 'CRM', reason: 'gone' } }]);
    await deliver(mine);
    expect(receiver.received).toHaveLength(1);
    expect(await fixture.log(mine)).toHaveLength(1);
  });

  it('disables a webhook that has done nothing but fail for five days, not one that succeeded in between', async () => {
    receiver.answer = answers(500);
    const [mine, lucky] = [await webhook({ retryAttempts: 0 }), await webhook({ retryAttempts: 0 })];
    for (const day of [0, 1, 2, 3, 4, 5]) {
      for (const one of [mine, lucky]) {
        receiver.answer = one === lucky && day === 3 ? accepts : answers(500);
        await deliver(one);
      }
      fixture.clock.advance(DAY);
    }
    expect(await fixture.stored(mine)).toMatchObject({ status: 'inactive', disabledReason: 'failing' });
    expect(await fixture.stored(lucky)).toMatchObject({ status: 'active', disabledReason: null });
  });

  it('keeps what was pending when the webhook became inactive, and delivers it when it is active again', async () => {
    receiver.next.push(answers(500));
    const mine = await webhook();
    const [event] = await deliver(mine);
    const { _id, workspaceId } = mine;
    await fixture.webhooks.updateOne({ _id, workspaceId }, { $set: { status: 'inactive' } });
    fixture.clock.advance(DAY);
    await fixture.deliver(mine);
    expect(receiver.received).toHaveLength(1);
    await fixture.webhooks.updateOne({ _id, workspaceId }, { $set: { status: 'active' } });
    await fixture.deliver(mine);
    expect(receiver.ids).toEqual([event, event]);
  });

  it('signs with the former secret, too, for as long as that is valid', async () => {
    const mine = await webhook();
    const former = createSecret();
    const { _id, workspaceId } = mine;
    const rotated = { previousSecret: fixture.sealed(former, mine), previousSecretUntil: fixture.clock.in(DAY) };
    await fixture.webhooks.updateOne({ _id, workspaceId }, { $set: rotated });
    await deliver(mine);
    expect(receiver.verified(receiver.received[0], former).type).toBe('email.sent');
    expect(receiver.verified(receiver.received[0], mine.plainSecret).type).toBe('email.sent');
    fixture.clock.freeze(new Date(Date.now() + 2 * SECOND));
    await fixture.webhooks.updateOne({ _id, workspaceId }, { $set: { previousSecretUntil: fixture.clock.now() } });
    await deliver(mine);
    expect(() => receiver.verified(receiver.received[1], former)).toThrow('No matching signature');
    expect(receiver.verified(receiver.received[1], mine.plainSecret).type).toBe('email.sent');
  });

  it('sends nothing for a workspace that was deleted, and goes on when that is restored', async () => {
    const mine = await webhook();
    await fixture.happen(mine.workspaceId);
    await fixture.relay();
    fixture.deleted.add(mine.workspaceId.toHexString());
    await fixture.deliver(mine);
    expect(receiver.received).toEqual([]);
    expect((await fixture.nextAt(mine))!.getTime()).toBeGreaterThan(fixture.clock.now().getTime());
    fixture.deleted.clear();
    await fixture.deliver(mine);
    expect(receiver.received).toHaveLength(1);
  });

  it('leaves a webhook to the worker that delivers to it', async () => {
    const mine = await webhook();
    await fixture.happen(mine.workspaceId);
    await fixture.relay();
    const lane = await fixture.partitions.acquire(mine._id.toHexString(), MINUTE);
    await fixture.deliver(mine);
    expect(receiver.received).toEqual([]);
    await fixture.partitions.complete(lane!, fixture.clock.now());
    await fixture.deliver(mine);
    expect(receiver.received).toHaveLength(1);
  });

  it('makes the attempt again that a worker had under way when it was stopped', async () => {
    receiver.next.push(hangs);
    const mine = await webhook({ timeoutMs: 30_000 });
    const [event] = await fixture.happen(mine.workspaceId);
    await fixture.relay();
    const stop = new AbortController();
    receiver.next[0] = () => stop.abort(new Error('killed'));
    await expect(fixture.deliver(mine, stop.signal)).rejects.toThrow('killed');
    expect(await fixture.log(mine)).toMatchObject([{ state: 'pending', attemptCount: 0, attempts: [] }]);
    await fixture.laneRecords.updateOne({ _id: mine._id, workspaceId: mine.workspaceId }, { leaseUntil: new Date(0) });
    await fixture.deliver(mine);
    expect(receiver.ids).toEqual([event, event]);
    expect((await fixture.stored(mine)).stats.totalDelivered).toBe(1);
  });

  it('delivers what comes while an earlier request hangs', async () => {
    const mine = await webhook({ timeoutMs: 30_000 });
    const [first] = await fixture.happen(mine.workspaceId);
    await fixture.relay();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: came, resolve: hasCome } = Promise.withResolvers<void>();
    receiver.next.push((response) => {
      hasCome();
      void released.then(() => response.writeHead(204).end());
    });
    const turn = fixture.deliver(mine);
    await came;
    receiver.next.push((response) => {
      response.writeHead(204).end();
      release();
    });
    const [second] = await fixture.happen(mine.workspaceId);
    await fixture.relay();
    await turn;
    expect(receiver.ids).toEqual([first, second]);
    expect((await fixture.stored(mine)).stats.totalDelivered).toBe(2);
  });

  it('makes an attempt that a person asked for, beside the schedule', async () => {
    receiver.answer = answers(500);
    const mine = await webhook();
    const [event] = await deliver(mine);
    const [before] = await fixture.log(mine);
    const { workspaceId, _id } = before!;
    const ask = () => fixture.deliveries.updateOne({ workspaceId, _id }, { $set: { manualAt: fixture.clock.now() } });
    await ask();
    await fixture.deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([
      {
        state: 'pending',
        attemptsMade: 1,
        attemptCount: 2,
        nextAttemptAt: before?.nextAttemptAt,
        attempts: [{ trigger: 'automatic' }, { trigger: 'manual' }],
      },
    ]);
    receiver.answer = accepts;
    await ask();
    await fixture.deliver(mine);
    fixture.clock.advance(DAY);
    await fixture.deliver(mine);
    expect(receiver.ids).toEqual([event, event, event]);
    const [after] = await fixture.log(mine);
    expect(after).toMatchObject({ state: 'delivered', attemptsMade: 1 });
    expect(after?.manualAt).toBeUndefined();
    expect((await fixture.stored(mine)).stats).toMatchObject({ totalDelivered: 1, totalFailed: 0 });
  });

  it('counts what was given up and accepted later after all as delivered', async () => {
    receiver.next.push(answers(500));
    const mine = await webhook({ retryAttempts: 0 });
    await deliver(mine);
    expect((await fixture.stored(mine)).stats).toMatchObject({ totalDelivered: 0, totalFailed: 1 });
    await fixture.deliveries.updateMany(
      { workspaceId: mine.workspaceId, webhookId: mine._id },
      { $set: { manualAt: fixture.clock.now() } },
    );
    await fixture.deliver(mine);
    expect((await fixture.stored(mine)).stats).toMatchObject({ totalDelivered: 1, totalFailed: 0 });
  });

  it('makes an attempt that a person asked for although the receiver wants to be left alone', async () => {
    receiver.next.push(answers(503, { 'retry-after': '600' }));
    const mine = await webhook();
    await deliver(mine);
    await fixture.deliveries.updateMany(
      { workspaceId: mine.workspaceId, webhookId: mine._id },
      { $set: { manualAt: fixture.clock.now() } },
    );
    await fixture.deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([{ state: 'delivered' }]);
  });

  it('delivers many, each once, with its figures right', async () => {
    const mine = await webhook();
    const ids = await deliver(mine, 300);
    expect(receiver.ids.toSorted()).toEqual(ids.toSorted());
    expect((await fixture.stored(mine)).stats.totalDelivered).toBe(300);
    expect(await fixture.deliveries.countDocuments({ workspaceId: mine.workspaceId, state: 'delivered' })).toBe(300);
  });

  it('writes nothing for a webhook that was deleted while a request was under way', async () => {
    const mine = await webhook();
    const { _id, workspaceId } = mine;
    receiver.answer = (response) => {
      const gone = [
        fixture.webhooks.deleteOne({ _id, workspaceId }),
        fixture.deliveries.deleteMany({ workspaceId, webhookId: _id }),
      ];
      void Promise.all(gone).then(() => response.writeHead(204).end());
    };
    await deliver(mine);
    expect(await fixture.log(mine)).toEqual([]);
    expect(await fixture.webhooks.countDocuments({ workspaceId })).toBe(0);
  });
});
