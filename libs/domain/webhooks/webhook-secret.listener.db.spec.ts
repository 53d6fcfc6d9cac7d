import { randomBytes } from 'node:crypto';
import { SecretBoxService, SecretRotationService } from '@platform/secrets';
import { WebhooksFixture } from './testing/webhooks-fixture';
import { createSecret, getWebhookSecretOwner } from './webhook-secrets';

describe('key rotation for webhook secrets', () => {
  const oldKey = `k1:${randomBytes(32).toString('base64')}`;
  const newKey = `k2:${randomBytes(32).toString('base64')}`;
  let fixture: WebhooksFixture;
  let during: WebhooksFixture;
  let after: WebhooksFixture;

  beforeAll(async () => {
    fixture = await WebhooksFixture.open({ SECRET_KEYS: oldKey });
    const { mongodbUri, queuePrefix, redisUrl } = fixture.database.config;
    const same = { MONGODB_URI: mongodbUri, QUEUE_PREFIX: queuePrefix, REDIS_URL: redisUrl };
    during = await WebhooksFixture.open({ ...same, SECRET_KEYS: `${newKey},${oldKey}` });
    after = await WebhooksFixture.open({ ...same, SECRET_KEYS: newKey });
  });
  afterAll(async () => {
    await after.database.module.close();
    await during.database.module.close();
    await fixture.close();
  });

  it('re-encrypts both secrets of a rotation, so that the old key can be removed', async () => {
    const previousSecret = createSecret();
    const { plainSecret, ...made } = await fixture.webhook('https://example.com/');
    const where = { _id: made._id, workspaceId: made.workspaceId };
    await fixture.webhooks.updateOne(where, { $set: { previousSecret: fixture.sealed(previousSecret, made) } });
    await fixture.webhook('https://example.com/');
    const before = await fixture.stored(made);

    const rotation = during.get(SecretRotationService);
    expect(await rotation.run({ dryRun: true })).toMatchObject({ resealed: 3, keysInUse: { k1: 3 } });
    expect(await rotation.run({ dryRun: false })).toMatchObject({ resealed: 3, failed: 0, keysInUse: { k2: 3 } });
    expect(await rotation.run({ dryRun: false })).toMatchObject({ resealed: 0, alreadyCurrent: 3 });

    const now = await fixture.stored(made);
    const owner = getWebhookSecretOwner(made.workspaceId, made._id);
    const box = after.get(SecretBoxService);
    expect([box.open(now.secret, owner), box.open(now.previousSecret!, owner)]).toEqual([plainSecret, previousSecret]);
    // No other field changed, not even the update time.
    const { secret: _secret, previousSecret: _former, ...rest } = now;
    expect(before).toMatchObject(rest);
  });

  it('does not make a secret readable for another webhook', async () => {
    const [mine, other] = [
      await fixture.webhook('https://example.com/'),
      await fixture.webhook('https://example.com/'),
    ];
    const open = () =>
      fixture.get(SecretBoxService).open(mine.secret, getWebhookSecretOwner(other.workspaceId, other._id));
    expect(open).toThrow('changed or belongs to another owner');
  });
});
