import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LeaseRenewalService, TransactionService } from '@platform/database';
import { JobRecordService } from '@platform/job-records';
import { type Model } from 'mongoose';
import { LeadImportQueue } from './lead-import.queue';
import { LeadImportRecord } from './schemas/lead-import.record';

/** Maximum number of consecutive runs without a processed row. */
export const MAX_ATTEMPTS = 20;

/** Runs, progress and ends of imports. */
@Injectable()
export class LeadImportJobRecordService extends JobRecordService<LeadImportRecord> {
  constructor(
    @InjectModel(LeadImportRecord.name) imports: Model<LeadImportRecord>,
    queue: LeadImportQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
    workspaces: WorkspaceRepository,
  ) {
    const why = 'the worker runs the imports of all workspaces';
    super(imports, queue, transactions, renewals, clock, workspaces, {
      why,
      begun: { status: 'processing' },
      maxAttempts: MAX_ATTEMPTS,
    });
  }
}
