import { describeWorkPartitions, openPartitions } from '../../../platform/work-partitions/testing';
import { Types } from 'mongoose';
import { ChatWorkPartitionRecord } from '../schemas/chat-work-partition.record';
import { ChatWorkPartitionService } from './chat-work-partition.service';
import { ChatWorkQueue } from './chat-work.queue';

describeWorkPartitions(
  'chat-work',
  () =>
    openPartitions({
      record: ChatWorkPartitionRecord,
      queue: ChatWorkQueue,
      service: ChatWorkPartitionService,
      schedule: (partitions, { workspaceId, id }, at) =>
        partitions.schedule([
          { workspaceId: new Types.ObjectId(workspaceId), connectionId: new Types.ObjectId(id), at },
        ]),
      enqueue: (partitions, { workspaceId }) => partitions.enqueue([workspaceId]),
    }),
  () => ({ workspaceId: new Types.ObjectId().toHexString(), id: new Types.ObjectId().toHexString() }),
);
