import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { DeadJobRecord, DeadJobQueue } from './dead-job.queue';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';
import { ScheduleRecord, ScheduleQueue } from './schedule.queue';

@Global()
@Module({
  imports: [DatabaseModule.collections(DeadJobRecord, ScheduleRecord)],
  providers: [RedisClient, QueuesService, DeadJobQueue, ScheduleQueue],
  exports: [RedisClient, QueuesService, DeadJobQueue, ScheduleQueue],
})
export class QueuesModule {}
