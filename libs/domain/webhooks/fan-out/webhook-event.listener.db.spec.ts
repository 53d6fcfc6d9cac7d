import { type WebhookRecord } from '../schemas/webhook.record';
import { id, WebhooksFixture } from '../testing/webhooks-fixture';
import { updatePeriods } from '../subscription-periods';

const NOWHERE = 'http://127.0.0.1:9/';

describe('events and the webhooks that want them', () => {
  let fixture: WebhooksFixture;

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
  });
  afterAll(() => fixture.close());

  const told = async (webhook: WebhookRecord) => (await fixture.log(webhook)).map(({ eventId }) => String(eventId));
  const change = (webhook: WebhookRecord, events: WebhookRecord['events']) =>
    fixture.webhooks.updateOne(
      { _id: webhook._id, workspaceId: webhook.workspaceId },
      { $set: { periods: updatePeriods(webhook.periods, events, fixture.clock.now()) } },
    );

  it('makes one delivery for each webhook that wants an event, in its workspace only', async () => {
    const workspaceId = id();
    const events = ['email.sent', 'email.replied'] as const;
    const [both, replies] = [
      await fixture.webhook(NOWHERE, { workspaceId, events: [...events] }),
      await fixture.webhook(NOWHERE, { workspaceId, events: ['email.replied'] }),
    ];
    const stranger = await fixture.webhook(NOWHERE, { events: [...events] });
    const [sent] = await fixture.happen(workspaceId, 1, 'email.sent');
    const [replied] = await fixture.happen(workspaceId, 1, 'email.replied');
    await fixture.relay();
    await fixture.relay();
    expect(await told(both)).toEqual([sent, replied]);
    expect(await told(replies)).toEqual([replied]);
    expect(await told(stranger)).toEqual([]);
  });

  it('writes the body down when it makes the delivery: what changes later is not in it', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const [event] = await fixture.happen(webhook.workspaceId);
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

  it('goes by what a webhook wanted when the event was recorded, however late it is handed on', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const [wanted] = await fixture.happen(webhook.workspaceId);
    fixture.clock.advance(1_000);
    await change(webhook, []);
    fixture.clock.advance(1_000);
    await fixture.happen(webhook.workspaceId);
    const late = await fixture.webhook(NOWHERE, {
      workspaceId: webhook.workspaceId,
      periods: [{ from: fixture.clock.now(), events: ['email.sent'] }],
    });
    await fixture.relay();
    expect(await told(webhook)).toEqual([wanted]);
    expect(await told(late)).toEqual([]);
  });

  it('plans the lane of each webhook, and asks for its turn', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    await fixture.happen(webhook.workspaceId, 3);
    const announced = jest.spyOn(fixture.partitions, 'enqueueDue');
    await fixture.relay();
    expect(await fixture.nextAt(webhook)).toEqual(expect.any(Date));
    expect(announced).toHaveBeenCalledWith([webhook.workspaceId.toHexString()]);
    announced.mockRestore();
  });

  it('leaves neither delivery nor lane when the hand-over fails, and makes both the next time', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const [event] = await fixture.happen(webhook.workspaceId);
    const failing = jest.spyOn(fixture.partitions, 'schedule').mockRejectedValue(new Error('killed'));
    await fixture.relay();
    expect(await told(webhook)).toEqual([]);
    failing.mockRestore();
    fixture.clock.advance(60_000);
    await fixture.relay();
    expect(await told(webhook)).toEqual([event]);
    expect(await fixture.nextAt(webhook)).not.toBeNull();
  });

  it('hands on thousands', async () => {
    const webhook = await fixture.webhook(NOWHERE);
    const other = await fixture.webhook(NOWHERE, { workspaceId: webhook.workspaceId });
    await fixture.happen(webhook.workspaceId, 1_200);
    await fixture.relay();
    const count = (of: WebhookRecord) =>
      fixture.deliveries.countDocuments({ workspaceId: of.workspaceId, webhookId: of._id });
    expect([await count(webhook), await count(other)]).toEqual([1_200, 1_200]);
  });
});
