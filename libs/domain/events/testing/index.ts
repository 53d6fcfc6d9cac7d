export { happening, sampleData } from './event.samples';
export { eventViolations } from './event.violations';
export { violationsOf } from './schema.check';
