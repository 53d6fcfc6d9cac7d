import { WorkspaceRepository } from '@domain/identity';
import { Types } from 'mongoose';
import { describeJobs } from '../../../../platform/job-records/testing';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistTestJobRecordService, MAX_ATTEMPTS } from './blacklist-test-job-record.service';
import { BlacklistTestQueue } from './blacklist-test.queue';

describeJobs({
  record: BlacklistTestRecord,
  queue: BlacklistTestQueue,
  service: BlacklistTestJobRecordService as never,
  workspaces: WorkspaceRepository,
  createJob: () => ({
    userId: new Types.ObjectId(),
    testCode: 'BL-1-00000000',
    testName: 'A test',
    mailboxes: [],
    progress: { done: 0, total: 0 },
    expiresAt: new Date(Date.now() + 3_600_000),
  }),
  maxAttempts: MAX_ATTEMPTS,
});
