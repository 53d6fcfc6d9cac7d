export { happening, sampleData } from './event-samples';
export { getEventViolations } from './event-violations';
export { getViolations } from './schema-check';
export { getEventPartition } from '../relay/event-partition';
