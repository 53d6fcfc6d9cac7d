export { openPartitions } from './open-partitions';
export { describeWorkPartitions } from './work-partition-conformance';
