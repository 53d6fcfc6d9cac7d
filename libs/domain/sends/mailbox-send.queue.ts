import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { RedisClient } from '@platform/queues';
import { WorkPartitionQueue } from '@platform/work-partitions';
import { type Queue } from 'bullmq';

/** Runs of mailboxes. */
@Injectable()
export class MailboxSendQueue extends WorkPartitionQueue {
  constructor(@InjectQueue('mailbox-send') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }
}
