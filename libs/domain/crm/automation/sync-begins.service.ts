import { type CrmType } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { CrmSyncJobsService } from '../jobs/crm-sync-jobs.service';
import { CrmSyncJobRecord, type SyncTrigger, type SyncType } from '../jobs/schemas/crm-sync-job.record';
import { CrmAutomationRecord } from './schemas/crm-automation.record';

/** Which sync is begun, and what in the same transaction says that it is nobody else's any more. */
export interface SyncToBegin {
  readonly workspaceId: Types.ObjectId;
  readonly crmType: CrmType;
  readonly jobType: SyncType;
  readonly trigger: SyncTrigger;
  readonly campaignId?: Types.ObjectId;
  readonly leadIds?: readonly Types.ObjectId[];
  /** False: somebody else has begun it, or it is not wanted any more. It may be run again. */
  claim(): Promise<boolean>;
}

/** Begins syncs that nobody asked for by hand. */
@Injectable()
export class SyncBeginsService {
  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    @InjectModel(CrmSyncJobRecord.name) private readonly records: Model<CrmSyncJobRecord>,
    private readonly jobs: CrmSyncJobsService,
    private readonly transactions: TransactionService,
  ) {}

  /** Whether the last one of its kind is still under way: a second one would only stand in line behind it. */
  async isOpen({ workspaceId, crmType, jobType, trigger }: Omit<SyncToBegin, 'claim'>): Promise<boolean> {
    return (await this.records.exists({ workspaceId, crmType, open: true, jobType, trigger })) !== null;
  }

  /**
   * Claim and job come to be together. What keeps the job from being made is shown with the settings.
   * @returns whether nothing kept it
   */
  async begin({ workspaceId, crmType, claim, ...wanted }: SyncToBegin): Promise<boolean> {
    const workspace = systemScope(workspaceId.toHexString());
    try {
      const isOurs = await this.transactions.run(async () => {
        if (!(await claim())) return false;
        await this.jobs.begin(workspace, { crmType, ...wanted });
        return true;
      });
      if (isOurs) await this.jobs.enqueue(workspace, crmType);
      await this.#note(workspaceId, crmType, null);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.#note(workspaceId, crmType, error.message);
      return false;
    }
  }

  async #note(workspaceId: Types.ObjectId, crmType: CrmType, problem: string | null): Promise<void> {
    const changed = { workspaceId, crmType, problem: { $ne: problem } };
    await this.automations.updateOne(changed, { $set: { problem } }, { timestamps: false });
  }
}
