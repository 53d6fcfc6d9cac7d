import { describeWorkPartitions, openPartitions } from '../../../platform/work-partitions/testing';
import { Types } from 'mongoose';
import { WebhookWorkPartitionRecord } from '../schemas/webhook-work-partition.record';
import { WebhookWorkPartitionService } from './webhook-work-partition.service';
import { WebhookWorkQueue } from './webhook-work.queue';

describeWorkPartitions(
  'webhook-work',
  () =>
    openPartitions({
      record: WebhookWorkPartitionRecord,
      queue: WebhookWorkQueue,
      service: WebhookWorkPartitionService,
      schedule: (partitions, { workspaceId, id }, at) => partitions.schedule(workspaceId, [id], at),
      enqueue: (partitions, { workspaceId, id }) => partitions.enqueue(workspaceId, [id]),
    }),
  () => ({ workspaceId: new Types.ObjectId().toHexString(), id: new Types.ObjectId().toHexString() }),
);
