import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { DeadJobQueue } from './dead-job.queue';
import { DeadJobRecord } from './dead-job.record';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';
import { ScheduleQueue } from './schedule.queue';
import { ScheduleRecord } from './schedule.record';

@Global()
@Module({
  imports: [DatabaseModule.collections(DeadJobRecord, ScheduleRecord)],
  providers: [RedisClient, QueuesService, DeadJobQueue, ScheduleQueue],
  exports: [RedisClient, QueuesService, DeadJobQueue, ScheduleQueue],
})
export class QueuesModule {}
