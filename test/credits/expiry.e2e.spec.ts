import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { type Platform, sharedPlatform } from '../harness';

const MINUTE_MS = 60_000;

describe('a reservation that is never settled', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
  });
  afterAll(() => platform.close());

  it('is released by the worker when it expires', async () => {
    const { workspaceId, key } = await platform.seed.workspace({ credits: 10 });
    const balance = async () => (await platform.api.as(key).get('/v1/credits/balance').expect(200)).body as object;
    await platform.app.get(CreditsService, { strict: false }).reserve(systemScope(workspaceId), {
      amount: 4,
      reason: 'a job',
      operation: 'job',
      ttlMs: 5 * MINUTE_MS,
    });

    await platform.tick();
    await platform.drain();
    expect(await balance()).toMatchObject({ data: { balance: 6, reserved: 4 } });

    platform.clock.advance(6 * MINUTE_MS);
    await platform.tick();
    await platform.drain();
    expect(await balance()).toMatchObject({ data: { balance: 10, reserved: 0 } });
  });
});
