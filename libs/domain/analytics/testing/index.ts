export { AnalyticsFixture } from './analytics-fixture';
