import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '@platform/config';
import { type AppError, unavailable } from '@platform/errors';
import { HealthService, LogService, MetricsService } from '@platform/observability';
import { type ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';

/** Reconnects at once, then every second at most: work resumes right after Redis is back. */
const retryStrategy = (attempt: number): number => Math.min(attempt * 100, 1_000);

const NO_ANSWER = 'Redis did not answer in time';

/** The connection for commands of requests and jobs: it fails fast while Redis is unavailable. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
  readonly client: Redis;
  #down = false;

  constructor(
    private readonly config: Config,
    private readonly log: LogService,
    private readonly metrics: MetricsService,
    health: HealthService,
  ) {
    this.client = new Redis(config.redisUrl, {
      retryStrategy,
      enableOfflineQueue: false,
      maxRetriesPerRequest: null,
      commandTimeout: config.redisTimeoutMs,
      connectTimeout: config.redisTimeoutMs,
    });
    this.client.on('error', (error: Error) => this.#reportFailure(error));
    this.client.on('ready', () => this.#reportRecovery());
    health.register({
      name: 'redis',
      essential: false, // the API still answers reads, and all data is in MongoDB
      check: async () => ({ latencyMs: await this.ping() }),
    });
  }

  /** Options for a worker's connections, which wait for Redis instead of failing. */
  workerOptions(): ConnectionOptions {
    return { url: this.config.redisUrl, retryStrategy, maxRetriesPerRequest: null };
  }

  /**
   * Runs a Redis command or a BullMQ call with a timeout.
   * @throws SERVICE_UNAVAILABLE when Redis does not answer in time
   */
  async promptly<T>(call: () => Promise<T>): Promise<T> {
    if (this.client.status !== 'ready') throw this.#toUnavailable();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(NO_ANSWER)), this.config.redisTimeoutMs * 1.5);
    });
    try {
      return await Promise.race([call(), late]);
    } catch (error) {
      throw isUnavailable(error) ? this.#toUnavailable(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Milliseconds for a round trip. */
  async ping(): Promise<number> {
    const started = performance.now();
    await this.promptly(() => this.client.ping());
    return Math.round((performance.now() - started) * 10) / 10;
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }

  #toUnavailable(cause?: unknown): AppError {
    this.metrics.redisFailures.inc();
    return unavailable('The queue cannot be reached', cause);
  }

  /** Logs one line at the start of an outage and one at its end, not one per attempt. */
  #reportFailure(error: Error): void {
    if (this.#down) return;
    this.#down = true;
    this.log.error('Redis is unavailable', error);
  }

  #reportRecovery(): void {
    if (this.#down) this.log.info('Redis is available again');
    this.#down = false;
  }
}

/** Whether Redis is unreachable, silent, loading, full or a replica, as opposed to a wrong command. */
function isUnavailable(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^E(CONN|TIMEDOUT|PIPE|HOST|NOTFOUND|AI_AGAIN)/.test(code)) return true;
  return /did not answer in time|Command timed out|Connection is closed|isn't writeable|^(LOADING|OOM|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF)/.test(
    message,
  );
}
