import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { RedisClient } from '@platform/queues';
import { WorkPartitionQueue } from '@platform/work-partitions';
import { type Queue } from 'bullmq';

/** Runs of blacklist tests. */
@Injectable()
export class BlacklistTestQueue extends WorkPartitionQueue {
  constructor(@InjectQueue('blacklist-test') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }
}
