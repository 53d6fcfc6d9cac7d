export { happening, sampleData } from './event-samples';
export { getEventViolations } from './event-violations';
export { getViolations } from './schema-check';
