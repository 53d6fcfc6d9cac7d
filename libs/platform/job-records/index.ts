export { JobFields } from './job-fields';
export { JobRecordService } from './job-record.service';
export { JobSupersededError } from './job-superseded.errors';
