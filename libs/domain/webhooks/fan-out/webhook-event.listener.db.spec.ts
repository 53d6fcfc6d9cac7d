import { type WebhookRecord } from '../schemas/webhook.record';
import { id, WebhooksFixture } from '../testing/webhooks-fixture';
import { updatePeriods } from '../subscription-periods';

const NOWHERE = 'http://127.0.0.1:9/';

describe('the relay of events to webhooks', () => {
  let fixture: WebhooksFixture;

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
  });
  afterAll(() => fixture.close());

  const deliveredTo = async (webhook: WebhookRecord) =>
    (await fixture.log(webhook)).map(({ eventId }) => String(eventId));
  const change = (webhook: WebhookRecord, events: WebhookRecord['events']) =>
    fixture.webhooks.updateOne(
      { _id: webhook._id, workspaceId: webhook.workspaceId },
      { $set: { periods: updatePeriods(webhook.periods, events, fixture.clock.now()) } },
    );

  it('creates one delivery for each subscribed webhook of the workspace', async () => {
    const workspaceId = id();
    const events = ['email.sent', 'email.replied'] as const;
    const [both, replies] = [
      await fixture.webhook(NOWHERE, { workspaceId, events: [...events] }),
      await fixture.webhook(NOWHERE, { workspaceId, events: ['email.replied'] }),
    ];
    const stranger = await fixture.webhook(NOWHERE, { events: [...events] });
    const [sent] = await fixture.recordEvents(workspaceId, 1, 'email.sent');
    const [replied] = await fixture.recordEvents(workspaceId, 1, 'email.replied');
    await fixture.relay();
    await fixture.relay();
    expect(await deliveredTo(both)).toEqual([sent, replied]);
    expect(await deliveredTo(replies)).toEqual([replied]);
    expect(await deliveredTo(stranger)).toEqual([]);
  });

  it('composes the body with the delivery: later changes do not appear in it', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const [event] = await fixture.recordEvents(webhook.workspaceId);
    await fixture.relay();
    const [delivery] = await fixture.log(webhook);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
      id: event,
      type: 'email.sent',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      workspaceId: webhook.workspaceId.toHexString(),
      data: expect.any(Object),
    });
    expect(delivery).toMatchObject({ state: 'pending', attemptsMade: 0, nextAttemptAt: expect.any(Date) });
  });

  it('uses the subscription at the time of the event, however late the relay is', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const [wanted] = await fixture.recordEvents(webhook.workspaceId);
    fixture.clock.advance(1_000);
    await change(webhook, []);
    fixture.clock.advance(1_000);
    await fixture.recordEvents(webhook.workspaceId);
    const late = await fixture.webhook(NOWHERE, {
      workspaceId: webhook.workspaceId,
      periods: [{ from: fixture.clock.now(), events: ['email.sent'] }],
    });
    await fixture.relay();
    expect(await deliveredTo(webhook)).toEqual([wanted]);
    expect(await deliveredTo(late)).toEqual([]);
  });

  it('schedules the work partition of each webhook and enqueues its run', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    await fixture.recordEvents(webhook.workspaceId, 3);
    const enqueued = jest.spyOn(fixture.partitions, 'enqueueDue');
    await fixture.relay();
    expect(await fixture.nextAt(webhook)).toEqual(expect.any(Date));
    expect(enqueued).toHaveBeenCalledWith([webhook.workspaceId.toHexString()]);
    enqueued.mockRestore();
  });

  it('creates neither delivery nor work partition when the relay fails, and both on the retry', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const [event] = await fixture.recordEvents(webhook.workspaceId);
    const failing = jest.spyOn(fixture.partitions, 'schedule').mockRejectedValue(new Error('killed'));
    await fixture.relay();
    expect(await deliveredTo(webhook)).toEqual([]);
    failing.mockRestore();
    fixture.clock.advance(60_000);
    await fixture.relay();
    expect(await deliveredTo(webhook)).toEqual([event]);
    expect(await fixture.nextAt(webhook)).not.toBeNull();
  });

  it('relays thousands of events', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const other = await fixture.webhook(NOWHERE, { workspaceId: webhook.workspaceId });
    await fixture.recordEvents(webhook.workspaceId, 1_200);
    await fixture.relay();
    const count = (of: WebhookRecord) =>
      fixture.deliveries.countDocuments({ workspaceId: of.workspaceId, webhookId: of._id });
    expect([await count(webhook), await count(other)]).toEqual([1_200, 1_200]);
  });
});
