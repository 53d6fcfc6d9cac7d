import { accepts, answers, TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormA, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { Hook } from './webhooks';
import { recordsOf, storedDelivery } from './webhook-records';

describe('GET /v1/webhooks/:webhookId/health', () => {
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
  });
  afterEach(() => receiver.close());
  afterAll(() => platform.close());

  it('shows a new webhook without failures and without waiting deliveries', async () => {
    expect(await hook.health()).toEqual({
      webhookId: hook.made._id,
      status: 'active',
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      cooldownUntil: null,
      previousSecretUntil: null,
      pending: 0,
      oldestPendingAt: null,
      nextAttemptAt: null,
      lastError: null,
      stats: { totalDelivered: 0, totalFailed: 0, lastDeliveredAt: null },
      replay: null,
    });
  });

  it('shows the waiting deliveries, their oldest time, and the next due time', async () => {
    const [old, young] = [platform.clock.in(-9_000_000), platform.clock.in(-1_000)];
    const [soon, late] = [platform.clock.in(500_000), platform.clock.in(900_000)];
    const pending = { state: 'pending', countedAs: null };
    await storedDelivery(platform, hook.made, { ...pending, createdAt: old, nextAttemptAt: late });
    await storedDelivery(platform, hook.made, { ...pending, createdAt: young, nextAttemptAt: soon });
    await storedDelivery(platform, hook.made, { createdAt: platform.clock.in(-99_000_000) });
    expect(await hook.health()).toMatchObject({
      pending: 2,
      oldestPendingAt: old.toISOString(),
      nextAttemptAt: soon.toISOString(),
    });
    const other = await Hook.make(platform, workspace);
    expect(await other.health()).toMatchObject({ pending: 0, oldestPendingAt: null, nextAttemptAt: null });
  });

  it('shows current failures, and the last error also afterwards', async () => {
    receiver.answer = answers(503, { 'retry-after': '60' });
    await hook.happen();
    await hook.deliver();
    const lastError = { at: ISO, status: 503, code: 'status', message: expect.stringContaining('503') as string };
    expect(await hook.health()).toMatchObject({
      failingSince: ISO,
      cooldownUntil: ISO,
      pending: 1,
      oldestPendingAt: ISO,
      nextAttemptAt: ISO,
      lastError,
    });
    receiver.answer = accepts;
    const [delivery] = await hook.deliveries();
    await hook.attemptNext(delivery!._id);
    expect(await hook.health()).toMatchObject({
      failingSince: null,
      cooldownUntil: null,
      pending: 0,
      lastError,
      stats: { totalDelivered: 1, totalFailed: 0, lastDeliveredAt: ISO },
    });
  });

  it('excludes completed deliveries', async () => {
    const past = platform.clock.in(-1_000);
    await recordsOf(platform, 'WebhookRecord').updateOne(
      { _id: hook.made._id, workspaceId: workspace.workspaceId },
      { $set: { cooldownUntil: past, previousSecretUntil: past } },
    );
    expect(await hook.health()).toMatchObject({ cooldownUntil: null, previousSecretUntil: null });
  });

  it('shows why it is inactive', async () => {
    receiver.answer = answers(410);
    await hook.happen();
    await hook.deliver();
    expect(await hook.health()).toMatchObject({
      status: 'inactive',
      disabledAt: ISO,
      disabledReason: 'gone',
      lastError: { status: 410 },
    });
    expect(await hook.read()).toMatchObject({ status: 'inactive' });
  });

  it('answers 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await hook.api.get(`/v1/webhooks/${id}/health`), 404);
    }
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.get(`${hook.path}/health`), 403, 'permission');
  });
});
