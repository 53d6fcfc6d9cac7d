import { HealthService, LogService, MetricsService, rootLogger } from '@platform/observability';
import { testConfig } from '@testing';
import { RedisClient } from './redis.client';

describe('a Redis that is unreachable', () => {
  it('fails commands that a caller awaits, is reported as down, and increments a counter per failure', async () => {
    const metrics = new MetricsService();
    const health = new HealthService('1');
    const log = new LogService(rootLogger({ level: 'silent', app: 'test', write: () => undefined }));
    const unreachable = testConfig({ REDIS_URL: 'redis://127.0.0.1:9' });
    const redis = new RedisClient(unreachable, log, metrics, health);
    try {
      await expect(redis.promptly(() => redis.client.ping())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect((await health.report()).checks).toEqual({ redis: { status: 'down' } });
      expect((await metrics.redisFailures.get()).values[0]?.value).toBe(2);
    } finally {
      redis.onApplicationShutdown();
    }
  });
});
