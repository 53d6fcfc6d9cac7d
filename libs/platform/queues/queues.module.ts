import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { DeadJobRecord, DeadJobs } from './dead-job.queue';
import { Queues } from './queues.service';
import { RedisConnection } from './redis.connection';
import { ScheduleRecord, Schedules } from './schedule.queue';

@Global()
@Module({
  imports: [DatabaseModule.collections(DeadJobRecord, ScheduleRecord)],
  providers: [RedisConnection, Queues, DeadJobs, Schedules],
  exports: [RedisConnection, Queues, DeadJobs, Schedules],
})
export class QueuesModule {}
