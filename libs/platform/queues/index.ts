export { DeadJobs, type DeadJob } from './dead-job.queue';
export { type JobPayload, JobProducer, type PlannedJob } from './job.producer.queue';
export { queueTable, type QueueName, QUEUE_NAMES, type QueueRow } from './queue.table';
export { Queues } from './queues.service';
export { QueuesModule } from './queues.module';
export { RedisConnection } from './redis.connection';
export { type Rhythm, type ScheduleRow } from './schedule.rhythm';
export { Schedules } from './schedule.queue';
export { type Sweep } from './sweep';
