import { describeWorkPartitions, openPartitions } from '../../../platform/work-partitions/testing';
import { Types } from 'mongoose';
import { CrmWorkPartitionRecord } from './schemas/crm-work-partition.record';
import { CrmWorkPartitionService } from './crm-work-partition.service';
import { CrmWorkQueue } from './crm-work.queue';

describeWorkPartitions(
  'crm-work',
  () =>
    openPartitions({
      record: CrmWorkPartitionRecord,
      queue: CrmWorkQueue,
      service: CrmWorkPartitionService,
      schedule: (partitions, { workspaceId }, at) => partitions.schedule(workspaceId, 'hubspot', at),
      enqueue: (partitions, { workspaceId }) => partitions.enqueue(workspaceId, 'hubspot'),
    }),
  () => ({ workspaceId: new Types.ObjectId().toHexString(), id: new Types.ObjectId().toHexString() }),
);
