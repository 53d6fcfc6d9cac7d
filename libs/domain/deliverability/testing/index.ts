export { HealthFixture } from './health-fixture';
export { wellKept, withSpf } from './zones';
