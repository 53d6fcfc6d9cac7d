import { describeWorkPartitions, openPartitions } from '../../../platform/work-partitions/testing';
import { Types } from 'mongoose';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { EnrichmentWorkPartitionService } from './enrichment-work-partition.service';
import { EnrichmentWorkQueue } from './enrichment-work.queue';

describeWorkPartitions(
  'enrichment-work',
  () =>
    openPartitions({
      record: EnrichmentWorkPartitionRecord,
      queue: EnrichmentWorkQueue,
      service: EnrichmentWorkPartitionService,
      schedule: (partitions, { workspaceId }, at) => partitions.schedule(workspaceId, 1, at),
      enqueue: (partitions, { workspaceId }) => partitions.enqueue(workspaceId),
    }),
  () => ({ workspaceId: new Types.ObjectId().toHexString(), id: new Types.ObjectId().toHexString() }),
);
