export { describeJobs } from './job-conformance';
