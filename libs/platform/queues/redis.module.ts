import { Global, Module } from '@nestjs/common';
import { RedisClient } from './redis.client';

/** The connection of the process to Redis. */
@Global()
@Module({ providers: [RedisClient], exports: [RedisClient] })
export class RedisModule {}
