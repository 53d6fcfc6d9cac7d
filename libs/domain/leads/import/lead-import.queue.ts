import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { RedisClient } from '@platform/queues';
import { WorkPartitionQueue } from '@platform/work-partitions';
import { type Queue } from 'bullmq';

/** Runs of imports. */
@Injectable()
export class LeadImportQueue extends WorkPartitionQueue {
  constructor(@InjectQueue('lead-import') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }
}
