import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { type QueueOptions } from 'bullmq';
import { DeadJobQueue } from './dead-job.queue';
import { DeadJobRecord } from './dead-job.record';
import { QUEUE_NAMES, queueTable } from './queue-table';
import { QueueWorker } from './queue-worker';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';
import { RedisModule } from './redis.module';
import { ScheduleQueue } from './schedule.queue';
import { ScheduleRecord } from './schedule.record';

BullModule.workerClass = QueueWorker;

/** In braces, so that all queue keys of the installation are in one slot of a Redis cluster. */
function toPrefix({ queuePrefix }: Config): string {
  return `{${queuePrefix}}`;
}

const connected = BullModule.forRootAsync({
  useFactory: (config: Config, redis: RedisClient): QueueOptions => ({
    connection: redis.client,
    prefix: toPrefix(config),
    // BullMQ keeps a failed first contact: a queue that was created during an outage would never work again.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  }),
  inject: [Config, RedisClient],
  // The worker starts its processors after its checks, and when maintenance mode is off.
  extraOptions: { manualRegistration: true },
});

const queues = BullModule.registerQueue(
  ...QUEUE_NAMES.map((name) => {
    const { attempts, backoffMs, keepCompleted } = queueTable[name];
    return {
      name,
      defaultJobOptions: {
        attempts,
        backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
        removeOnComplete: { count: keepCompleted },
        removeOnFail: true, // failed jobs are stored in MongoDB (`DeadJobQueue`), where they cannot be evicted
      },
    };
  }),
);

@Global()
@Module({
  imports: [RedisModule, connected, queues, DatabaseModule.collections(DeadJobRecord, ScheduleRecord)],
  providers: [QueuesService, DeadJobQueue, ScheduleQueue],
  exports: [RedisModule, queues, QueuesService, DeadJobQueue, ScheduleQueue],
})
export class QueuesModule {}
