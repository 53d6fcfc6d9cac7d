export { WorkPartitionFields } from './work-partition-fields';
export { type RunWorkPartition, WorkPartitionQueue } from './work-partition.queue';
export { type PartitionPlan, type WorkPartitionLease, WorkPartitionService } from './work-partition.service';
