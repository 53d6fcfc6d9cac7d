import { TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormA, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { Hook, SECRET, secondsAfter } from './webhooks';
import { recordsOf } from './webhook-records';
import { type Webhook } from './webhook-responses';

const HOUR_MS = 3_600_000;

describe('POST /v1/webhooks/:webhookId/rotate-secret', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;
  let hook: Hook;

  beforeAll(async () => {
    platform = await sharedPlatform();
    receiver = await TestReceiver.start();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    platform.clock.reset();
    workspace = await platform.seed.workspace();
    hook = await Hook.make(platform, workspace, { url: receiver.url });
  });
  afterAll(async () => {
    await platform.close();
    await receiver.close();
  });

  const rotate = () => hook.api.post(`${hook.path}/rotate-secret`);
  const rotated = async () => dataOf<Webhook>(await rotate().expect(200));
  /** The secrets that sign current messages. */
  async function signing(...secrets: string[]): Promise<string[]> {
    await hook.api.post(`${hook.path}/test`).send({}).expect(200);
    const received = receiver.received.at(-1)!;
    // The library also checks the time, by the real clock.
    jest.useFakeTimers({ now: platform.clock.now(), doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      return secrets.filter((secret) => {
        try {
          return receiver.verified(received, secret).type === 'email.sent';
        } catch {
          return false;
        }
      });
    } finally {
      jest.useRealTimers();
    }
  }

  it('answers the webhook with a new secret, and later reads show it', async () => {
    platform.clock.advance(1_000);
    const webhook = await rotated();
    expect(webhook).toEqual({ ...hook.made, secret: SECRET, updatedAt: ISO });
    expect(webhook.updatedAt > hook.made.updatedAt).toBe(true);
    expect(webhook.secret).not.toBe(hook.made.secret);
    expect(await hook.read()).toEqual(webhook);
    expect(await auditedActions(platform, workspace)).toContain('webhook.secret_rotated');
  });

  it('signs with both secrets for 24 hours, with the new one alone afterwards', async () => {
    const first = hook.made.secret;
    const second = await rotated();
    expect(await signing(first, second.secret)).toEqual([first, second.secret]);
    const { previousSecretUntil } = await hook.health();
    expect(secondsAfter(second.updatedAt, previousSecretUntil)).toBe(24 * 3_600);
    platform.clock.freeze(new Date(Date.parse(previousSecretUntil!) - 1));
    expect(await signing(first, second.secret)).toEqual([first, second.secret]);
    platform.clock.advance(1);
    expect(await signing(first, second.secret)).toEqual([second.secret]);
    expect(await hook.health()).toMatchObject({ previousSecretUntil: null });
  });

  it('drops the oldest secret when it is rotated again within that time', async () => {
    const first = hook.made.secret;
    const { secret: second } = await rotated();
    platform.clock.advance(HOUR_MS);
    const { secret: third } = await rotated();
    expect(await signing(first, second, third)).toEqual([second, third]);
    // By then the first rotation is more than 24 hours ago, the second one is not.
    platform.clock.advance(24 * HOUR_MS - 60_000);
    expect(await signing(second, third)).toEqual([second, third]);
  });

  it('gives each of two parallel rotations a secret, and the last one stays', async () => {
    const [one, other] = await Promise.all([rotated(), rotated()]);
    const { secret } = await hook.read();
    expect([one.secret, other.secret]).toContain(secret);
    expect(await signing(hook.made.secret, one.secret, other.secret)).toEqual([one.secret, other.secret]);
  });

  it('runs once for a repeated Idempotency-Key', async () => {
    const ask = () => rotate().set('Idempotency-Key', 'rotate-once');
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(await signing(hook.made.secret, dataOf<Webhook>(first).secret)).toHaveLength(2);
  });

  it('leaves no readable secret in the database, the audit log and the log', async () => {
    const { secret } = await rotated();
    const secrets = [hook.made.secret, secret].map((one) => one.slice(6));
    const { workspaceId } = workspace;
    const stored = JSON.stringify([
      await recordsOf(platform, 'WebhookRecord').find({ workspaceId }).lean(),
      await recordsOf(platform, 'AuditRecord').find({ workspaceId }).lean(),
      platform.logged(),
    ]);
    for (const one of secrets) expect(stored).not.toContain(one);
  });

  it('answers 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await hook.api.post(`/v1/webhooks/${id}/rotate-secret`), 404);
    }
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.post(`${hook.path}/rotate-secret`), 403, 'permission');
    expect(await hook.read()).toEqual(hook.made);
  });
});
