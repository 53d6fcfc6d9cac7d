import { accepts, answers, TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { Hook, secondsAfter } from './webhooks';
import { recordsOf } from './webhook-records';

describe('PATCH /v1/webhooks/:webhookId', () => {
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
    hook = await Hook.make(platform, workspace, { url: receiver.url });
    platform.clock.advance(1_000);
  });
  afterEach(() => receiver.close());
  afterAll(() => platform.close());

  const patch = (body: object, id = hook.made._id, key = workspace.key) =>
    platform.api.as(key).patch(`/v1/webhooks/${id}`).send(body);
  const audited = async () =>
    (await auditedActions(platform, workspace)).filter((action) => action === 'webhook.updated');
  const setTrouble = (trouble: object) =>
    recordsOf(platform, 'WebhookRecord').updateOne(
      { _id: hook.made._id, workspaceId: workspace.workspaceId },
      { $set: trouble },
      { timestamps: false },
    );

  it('changes the given fields and leaves the rest, including the secret', async () => {
    const changes = { name: ' ERP ', url: 'https://example.com/x', events: ['email.bounced'], retryAttempts: 0 };
    const updated = dataOf<{ updatedAt: string }>(await patch({ ...changes, timeoutMs: 1_000 }).expect(200));
    expect(updated).toEqual({
      ...hook.made,
      ...changes,
      name: 'ERP',
      timeoutMs: 1_000,
      updatedAt: ISO,
    });
    expect(updated.updatedAt > hook.made.updatedAt).toBe(true);
    expect(await hook.read()).toEqual(updated);
    expect(await audited()).toHaveLength(1);
  });

  it('changes nothing and writes no audit entry when no value differs; refuses invalid input and names the field', async () => {
    const { name, url, events, retryAttempts, timeoutMs, status } = hook.made;
    for (const body of [{}, { name, url, events, retryAttempts, timeoutMs, status }]) {
      expect(dataOf(await patch(body).expect(200))).toEqual(hook.made);
    }
    const cases: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ url: 'ftp://example.com/' }, 'url'],
      [{ url: 'https://user:password@example.com/' }, 'url'],
      [{ url: 'http://169.254.169.254/' }, 'url'],
      [{ url: null }, 'url'],
      [{ events: [] }, 'events'],
      [{ events: ['email.sent', 'email.sent'] }, 'events'],
      [{ events: ['email.forwarded'] }, 'events'],
      [{ retryAttempts: 11 }, 'retryAttempts'],
      [{ retryAttempts: null }, 'retryAttempts'],
      [{ timeoutMs: 999 }, 'timeoutMs'],
      [{ timeoutMs: 30_001 }, 'timeoutMs'],
      [{ status: 'disabled' }, 'status'],
      [{ secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' }, 'secret'],
      [{ disabledReason: 'person' }, 'disabledReason'],
      [{ workspaceId: UNKNOWN_ID }, 'workspaceId'],
      [{ stats: {} }, 'stats'],
    ];
    await inEachRow(cases, async ([body, field]) => expectFormB(await patch(body), 400, 'VALIDATION_ERROR', field));
    expect(await hook.read()).toEqual(hook.made);
    expect(await audited()).toEqual([]);
  });

  it('delivers the new events from then on, and the former ones no more', async () => {
    await hook.happen(1, 'email.sent');
    await hook.happen(1, 'email.bounced');
    platform.clock.advance(1_000);
    await hook.update({ events: ['email.bounced'] });
    platform.clock.advance(1_000);
    await hook.happen(1, 'email.sent');
    await hook.happen(1, 'email.bounced');
    await hook.deliver();
    // An event before the change follows the subscription of that time, however late it is relayed.
    expect((await hook.deliveries()).map(({ event }) => event).toSorted()).toEqual(['email.bounced', 'email.sent']);
  });

  it('delivers nothing while a webhook is inactive, and only the waiting deliveries after its activation', async () => {
    const waiting = await hook.happen(2);
    receiver.answer = answers(500);
    await hook.deliver();
    const before = receiver.received.length;
    expect(await hook.update({ status: 'inactive' })).toMatchObject({ status: 'inactive' });
    platform.clock.advance(3_600_000);
    await hook.happen();
    await hook.deliver();
    expect(receiver.received).toHaveLength(before);
    const health = await hook.health();
    expect(health).toMatchObject({ status: 'inactive', disabledReason: 'person', pending: 2 });
    expect(secondsAfter(health.disabledAt!, platform.clock.now().toISOString())).toBeGreaterThanOrEqual(3_600);

    receiver.answer = accepts;
    platform.clock.advance(1_000);
    expect(await hook.update({ status: 'active' })).toMatchObject({ status: 'active' });
    expect(await hook.health()).toMatchObject({ status: 'active', disabledReason: null, disabledAt: null });
    await platform.drain();
    expect(receiver.ids.slice(before).toSorted()).toEqual(waiting.toSorted());
    expect(await hook.stats()).toMatchObject({ totalDelivered: 2, totalFailed: 0 });
    expect(await audited()).toHaveLength(2);
  });

  it('resets earlier failures on activation, and keeps the reason when it is deactivated again', async () => {
    const disabledAt = platform.clock.now();
    await setTrouble({
      status: 'inactive',
      disabledAt,
      disabledReason: 'failing',
      failingSince: disabledAt,
      cooldownUntil: platform.clock.in(3_600_000),
    });
    expect(await hook.health()).toMatchObject({ disabledReason: 'failing', failingSince: disabledAt.toISOString() });
    await hook.update({ status: 'inactive', name: 'ERP' });
    expect(await hook.health()).toMatchObject({ status: 'inactive', disabledReason: 'failing' });
    await hook.update({ status: 'active' });
    expect(await hook.health()).toMatchObject({
      status: 'active',
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      cooldownUntil: null,
    });
  });

  it('sends waiting deliveries to the new address, whatever delay the former receiver requested', async () => {
    receiver.answer = answers(503, { 'retry-after': '3600' });
    const [eventId] = await hook.happen();
    await hook.deliver();
    expect((await hook.health()).cooldownUntil).not.toBeNull();
    const elsewhere = await TestReceiver.start();
    try {
      await hook.update({ url: elsewhere.url });
      expect(await hook.health()).toMatchObject({ cooldownUntil: null, failingSince: null });
      const [delivery] = await hook.deliveries();
      await hook.attemptNext(delivery!._id);
      expect(elsewhere.ids).toEqual([eventId]);
    } finally {
      await elsewhere.close();
    }
  });

  it('keeps both of two parallel changes', async () => {
    await Promise.all([
      hook.update({ name: 'ERP' }),
      hook.update({ status: 'inactive' }),
      hook.update({ timeoutMs: 2_000 }),
    ]);
    expect(await hook.read()).toMatchObject({ name: 'ERP', status: 'inactive', timeoutMs: 2_000 });
    expect(await audited()).toHaveLength(3);
  });

  it('answers 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) expectFormA(await patch({ name: 'x' }, id), 404);
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.patch(hook.path).send({ name: 'x' }), 403, 'permission');
    const writing = await platform.seed.workspaceKey(workspace.workspaceId, ['read', 'write']);
    expectFormA(await patch({ name: 'x' }, hook.made._id, writing), 403, 'permission');
    expect(await hook.read()).toEqual(hook.made);
  });
});
