import { CreditsService } from '@domain/credits';
import { QueuesService } from '@platform/queues';
import { expectFormA } from './expectations';
import { type Platform } from './platform';
import { sharedPlatform } from './shared-platforms';

const KEPT = process.env['TEST_DATABASES'];

describe('a platform that test files share', () => {
  let one: Platform;

  beforeAll(async () => {
    process.env['TEST_DATABASES'] = 'kept';
    one = await sharedPlatform();
  });
  afterAll(async () => {
    await one.close();
    if (KEPT === undefined) delete process.env['TEST_DATABASES'];
    else process.env['TEST_DATABASES'] = KEPT;
  });

  it('is reused by the next file, without data of the previous one', async () => {
    const { app } = one;
    const { key } = await one.seed.workspace();
    await one.api.as(key).get('/v1/webhooks').expect(200);
    await app.get(QueuesService).get('webhook-replay').add('later', {}, { delay: 3_600_000 });
    one.clock.advance(3_600_000);
    expect(one.logged()).toContain('/v1/webhooks');
    await one.close();

    one = await sharedPlatform();
    expect(one.app).toBe(app);
    expect(one.logged()).toBe('');
    expect(one.clock.aheadMs).toBe(0);
    expect(await app.get(QueuesService).get('webhook-replay').getDelayedCount()).toBe(0);
    expectFormA(await one.api.as(key).get('/v1/webhooks'), 401);
  });

  it('is exclusive while in use, and is not reused after a file whose responses violated the document', async () => {
    const other = await sharedPlatform();
    expect(other.app).not.toBe(one.app);
    const wrong = { balance: 1, reserved: 0, secret: 'x' };
    jest.spyOn(other.app.get(CreditsService, { strict: false }), 'balance').mockResolvedValueOnce(wrong);
    const { key } = await other.seed.workspace();
    await other.api.as(key).get('/v1/credits/balance').expect(200);
    const { app } = one;
    await expect(other.close()).rejects.toThrow('"additionalProperty":"secret"');
    await one.close();
    one = await sharedPlatform();
    expect(one.app).toBe(app);
    expect(one.app).not.toBe(other.app);
  });
});
