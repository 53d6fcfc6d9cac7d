import { MetricsService } from '@platform/observability';
import { type WebhookRecord } from '../schemas/webhook.record';
import { accepts, answers, hangs, TestReceiver } from '../testing/test-receiver';
import { WebhooksFixture } from '../testing/webhooks-fixture';
import { createSecret } from '../webhook-secrets';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('deliveries to a webhook', () => {
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
  /** Records events, relays them and runs the deliveries once. */
  async function deliver(to: WebhookRecord, count = 1): Promise<string[]> {
    const ids = await fixture.recordEvents(to.workspaceId, count);
    await fixture.relay();
    await fixture.deliver(to);
    return ids;
  }

  it('sends each event once, signed, under the id of the event', async () => {
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
  ])('signs a body %s so that the receiver can verify it', async (_what, body) => {
    const mine = await webhook();
    const { workspaceId, _id: webhookId } = mine;
    await fixture.recordEvents(workspaceId);
    await fixture.relay();
    await fixture.deliveries.updateOne({ workspaceId, webhookId }, { $set: { body } });
    await fixture.deliver(mine);
    expect(receiver.received[0]?.body).toBe(body);
    expect(receiver.verified(receiver.received[0], mine.plainSecret)).toEqual(JSON.parse(body));
  });

  it('records each attempt with its result and updates the statistics', async () => {
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

  it('counts each attempt in the metric of its outcome', async () => {
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

  it('stores 20 000 bytes of the response', async () => {
    receiver.answer = answers(500, {}, 'x'.repeat(30_000));
    const mine = await webhook();
    await deliver(mine);
    const [attempt] = (await fixture.log(mine))[0]?.attempts ?? [];
    expect(attempt).toMatchObject({ truncated: true, status: 500 });
    expect(attempt?.response).toHaveLength(20_000);
  });

  it('retries a rejected event with the same bytes and id until no attempt is left', async () => {
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

  it('treats a redirect as a failure and does not follow it', async () => {
    const other = await TestReceiver.start();
    receiver.answer = answers(307, { location: other.url });
    const mine = await webhook();
    await deliver(mine);
    expect(other.received).toEqual([]);
    expect(await fixture.log(mine)).toMatchObject([{ state: 'pending', attempts: [{ status: 307 }] }]);
    await other.close();
  });

  it('waits for a response for the time limit of the webhook', async () => {
    receiver.answer = hangs;
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([
      { state: 'pending', attempts: [{ status: null, error: { code: 'timeout' } }] },
    ]);
  });

  it('treats a 2xx response as a success even when its body never ends', async () => {
    receiver.answer = (response) => void response.writeHead(200).write('so far');
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.log(mine)).toMatchObject([
      { state: 'delivered', attempts: [{ status: 200, response: 'so far', truncated: true }] },
    ]);
  });

  it('sends nothing to a receiver during the pause that it requested', async () => {
    receiver.next.push(answers(429, { 'retry-after': '600' }));
    const mine = await webhook();
    const [first] = await deliver(mine);
    const [second] = await deliver(mine);
    expect(receiver.ids).toEqual([first]);
    const cooldown = (await fixture.stored(mine)).cooldownUntil;
    expect(await fixture.nextAt(mine)).toEqual(cooldown);
    fixture.clock.advance(10 * MINUTE + SECOND);
    await fixture.deliver(mine);
    expect(new Set(receiver.ids.slice(1))).toEqual(new Set([first, second]));
    expect(receiver.ids).toHaveLength(3);
    expect((await fixture.stored(mine)).cooldownUntil).toBeNull();
  });

  it('disables a webhook after a 410 response and records an event', async () => {
    receiver.answer = answers(410);
    const mine = await webhook();
    await deliver(mine);
    expect(await fixture.stored(mine)).toMatchObject({
      status: 'inactive',
      disabledReason: 'gone',
      disabledAt: expect.any(Date),
    });
    expect(await fixture.log(mine)).toMatchObject([{ state: 'failed' }]);
    const recorded = await fixture.eventRecords
      .find({ workspaceId: mine.workspaceId, type: 'webhook.disabled' })
      .lean();
    expect(recorded).toMatchObject([{ data: { webhookId: mine._id.toHexString(), name: 'CRM', reason: 'gone' } }]);
    await deliver(mine);
    expect(receiver.received).toHaveLength(1);
    expect(await fixture.log(mine)).toHaveLength(1);
  });

  it('disables a webhook after five days of failures only, not after a success in between', async () => {
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

  it('keeps pending deliveries of an inactive webhook and delivers them after activation', async () => {
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

  it('also signs with the previous secret while it is valid', async () => {
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

  it('sends nothing for a deleted workspace and resumes after its restoration', async () => {
    const mine = await webhook();
    await fixture.recordEvents(mine.workspaceId);
    await fixture.relay();
    fixture.deleted.add(mine.workspaceId.toHexString());
    await fixture.deliver(mine);
    expect(receiver.received).toEqual([]);
    expect((await fixture.nextAt(mine))!.getTime()).toBeGreaterThan(fixture.clock.now().getTime());
    fixture.deleted.clear();
    await fixture.deliver(mine);
    expect(receiver.received).toHaveLength(1);
  });

  it('delivers nothing while another worker holds the lease of the webhook', async () => {
    const mine = await webhook();
    await fixture.recordEvents(mine.workspaceId);
    await fixture.relay();
    const lease = await fixture.partitions.acquire(mine._id.toHexString());
    await fixture.deliver(mine);
    expect(receiver.received).toEqual([]);
    await fixture.partitions.complete(lease!, fixture.clock.now());
    await fixture.deliver(mine);
    expect(receiver.received).toHaveLength(1);
  });

  it('repeats an attempt that was interrupted by a worker stop', async () => {
    receiver.next.push(hangs);
    const mine = await webhook({ timeoutMs: 30_000 });
    const [event] = await fixture.recordEvents(mine.workspaceId);
    await fixture.relay();
    const stop = new AbortController();
    receiver.next[0] = () => stop.abort(new Error('killed'));
    await expect(fixture.deliver(mine, stop.signal)).rejects.toThrow('killed');
    expect(await fixture.log(mine)).toMatchObject([{ state: 'pending', attemptCount: 0, attempts: [] }]);
    await fixture.partitionRecords.updateOne(
      { _id: mine._id, workspaceId: mine.workspaceId },
      { leaseUntil: new Date(0) },
    );
    await fixture.deliver(mine);
    expect(receiver.ids).toEqual([event, event]);
    expect((await fixture.stored(mine)).stats.totalDelivered).toBe(1);
  });

  it('delivers new events while an earlier request hangs', async () => {
    const mine = await webhook({ timeoutMs: 30_000 });
    const [first] = await fixture.recordEvents(mine.workspaceId);
    await fixture.relay();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: came, resolve: hasCome } = Promise.withResolvers<void>();
    receiver.next.push((response) => {
      hasCome();
      void released.then(() => response.writeHead(204).end());
    });
    const run = fixture.deliver(mine);
    await came;
    receiver.next.push((response) => {
      response.writeHead(204).end();
      release();
    });
    const [second] = await fixture.recordEvents(mine.workspaceId);
    await fixture.relay();
    await run;
    expect(receiver.ids).toEqual([first, second]);
    expect((await fixture.stored(mine)).stats.totalDelivered).toBe(2);
  });

  it('makes a manual attempt besides the schedule', async () => {
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

  it('counts a failed delivery as delivered when a later attempt succeeds', async () => {
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

  it('makes a manual attempt during a cooldown of the receiver', async () => {
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

  it('delivers many events, each once, with correct statistics', async () => {
    const mine = await webhook();
    const ids = await deliver(mine, 300);
    expect(receiver.ids.toSorted()).toEqual(ids.toSorted());
    expect((await fixture.stored(mine)).stats.totalDelivered).toBe(300);
    expect(await fixture.deliveries.countDocuments({ workspaceId: mine.workspaceId, state: 'delivered' })).toBe(300);
  });

  it('writes nothing for a webhook that was deleted during a request', async () => {
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
