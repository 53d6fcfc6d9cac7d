export { happening, sampleData } from './event-samples';
export { eventViolations } from './event-violations';
export { getViolations } from './schema-check';
