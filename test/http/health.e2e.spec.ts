import { type Platform, startPlatform } from '../harness';

describe('health', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ env: { RATE_LIMIT_REQUESTS: '1' } });
  });
  afterAll(() => platform.close());

  it('is live without a key', async () => {
    const response = await platform.api.get('/health/live');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { status: 'live' },
    });
  });

  it('is ready, with the versions of the platform and of the time zone data, and is not rate limited', async () => {
    for (let probe = 0; probe < 5; probe++) {
      const response = await platform.api.get('/health/ready');
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        status: 'ready',
        versions: {
          app: expect.any(String) as unknown,
          node: process.versions.node,
          timeZoneData: process.versions['tz'],
        },
        checks: {
          mongodb: { status: 'up', latencyMs: expect.any(Number) as unknown },
          redis: { status: 'up', latencyMs: expect.any(Number) as unknown },
        },
      });
    }
  });
});
