import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LeaseRenewalService, TransactionService } from '@platform/database';
import { JobRecordService } from '@platform/job-records';
import { type Model } from 'mongoose';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistTestQueue } from './blacklist-test.queue';
import { getTestSummary } from './test-outcome';

/** Maximum number of consecutive runs without a completed subject. */
export const MAX_ATTEMPTS = 20;

/** Runs, progress and ends of blacklist tests. */
@Injectable()
export class BlacklistTestJobRecordService extends JobRecordService<BlacklistTestRecord> {
  constructor(
    @InjectModel(BlacklistTestRecord.name) tests: Model<BlacklistTestRecord>,
    queue: BlacklistTestQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
    workspaces: WorkspaceRepository,
  ) {
    const why = 'the worker runs the tests of all workspaces';
    const begun = { status: 'running', overallSummary: getTestSummary([]) };
    super(tests, queue, transactions, renewals, clock, workspaces, { why, begun, maxAttempts: MAX_ATTEMPTS });
  }
}
