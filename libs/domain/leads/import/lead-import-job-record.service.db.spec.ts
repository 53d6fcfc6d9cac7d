import { WorkspaceRepository } from '@domain/identity';
import { Types } from 'mongoose';
import { describeJobs } from '../../../platform/job-records/testing';
import { LeadImportJobRecordService, MAX_ATTEMPTS } from './lead-import-job-record.service';
import { LeadImportQueue } from './lead-import.queue';
import { LeadImportRecord } from './schemas/lead-import.record';

describeJobs({
  record: LeadImportRecord,
  queue: LeadImportQueue,
  service: LeadImportJobRecordService as never,
  workspaces: WorkspaceRepository,
  createJob: () => ({
    campaignId: new Types.ObjectId(),
    encoding: 'utf-8',
    delimiter: 'comma',
    hasHeader: true,
    columns: [],
    bytes: 0,
    position: { offset: 0, row: 0 },
    createdBy: { kind: 'operator' },
    expiresAt: new Date(),
  }),
  maxAttempts: MAX_ATTEMPTS,
});
