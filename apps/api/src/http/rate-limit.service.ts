import { HttpException, Injectable } from '@nestjs/common';
import { type Principal } from '@domain/access';
import { Config } from '@platform/config';
import { RedisClient } from '@platform/queues';
import { type Request, type Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const TOO_MANY_REQUESTS = 429;
/** Factor for machine routes: one tool sends requests for all rows of all workspaces from one address. */
const MACHINES = 10;

/** Counts requests per key (per address without a key) in a fixed window, in Redis, across all API processes. */
@Injectable()
export class RateLimitService {
  readonly #limiter: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    redis: RedisClient,
  ) {
    const window = { points: config.rateLimitRequests, duration: config.rateLimitWindowSeconds };
    this.#limiter = new RateLimiterRedis({
      ...window,
      storeClient: redis.client,
      keyPrefix: `${config.queuePrefix}:rate`,
      rejectIfRedisNotReady: true,
      // While Redis is down, each process counts alone: reads continue, floods are still stopped.
      insuranceLimiter: new RateLimiterMemory(window),
    });
  }

  /** Counts the request and sets the RateLimit headers. @throws 429 when the limit of the window is reached */
  async consume(
    principal: Principal | null,
    request: Request,
    response: Response,
    { fromMachines }: { fromMachines: boolean } = { fromMachines: false },
  ): Promise<void> {
    const isMachine = fromMachines && principal === null;
    const limit = principal?.rateLimit ?? this.config.rateLimitRequests * (isMachine ? MACHINES : 1);
    const key = principal ? principal.keyId : `${isMachine ? 'machine' : 'address'}-${request.ip ?? ''}`;
    const used = await this.#count(key);
    const resetSeconds = Math.max(0, Math.ceil(used.msBeforeNext / 1000));
    response.setHeader('RateLimit-Limit', limit);
    response.setHeader('RateLimit-Remaining', Math.max(0, limit - used.consumedPoints));
    response.setHeader('RateLimit-Reset', resetSeconds);
    if (used.consumedPoints <= limit) return;
    response.setHeader('Retry-After', Math.max(1, resetSeconds));
    throw new HttpException(
      `More than ${limit} requests in ${this.config.rateLimitWindowSeconds} seconds`,
      TOO_MANY_REQUESTS,
    );
  }

  /** The limiter's own rejection is ignored: the limit of the key applies. */
  async #count(key: string): Promise<RateLimiterRes> {
    try {
      return await this.#limiter.consume(key, 1);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    }
  }
}
