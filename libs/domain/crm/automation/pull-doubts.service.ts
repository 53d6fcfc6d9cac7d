import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { CrmSyncLogService } from '../jobs/crm-sync-log.service';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmAutomationRecord } from './schemas/crm-automation.record';
import { earliest } from './sync-interval';

const MAY_BE_WRITTEN_TO =
  'The database was restored from a backup: whom the CRM would bring now may have been brought and written to since. Pulls were switched off';

/** Pulls of which it is not known whom they brought: those of a database that was restored. */
@Injectable()
export class PullDoubtsService {
  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly log: CrmSyncLogService,
  ) {}

  /**
   * Switches off the pulls of the workspace that begin by themselves, and cancels those that were open then: either would make
   * leads, as if new, of people who may have been written to. Repeat it after a failure.
   * @returns how many
   */
  async setAside(workspace: WorkspaceScope, until: Date): Promise<number> {
    const { workspaceId } = workspace;
    const switchedOff = await this.#switchOff(workspaceId);
    // Few: a workspace has ten at one time of each CRM.
    const open = await this.jobs
      .find({ workspaceId, open: true, jobType: 'pull', dryRun: false, createdAt: { $lte: until } }, { _id: 1 })
      .lean<Pick<CrmSyncJobRecord, '_id'>[]>();
    for (const { _id } of open) await this.log.cancel(workspace, _id.toHexString());
    return switchedOff + open.length;
  }

  async #switchOff(workspaceId: string): Promise<number> {
    // At most one of each CRM.
    const pulling = await this.automations.find({ workspaceId, pull: { $ne: null } }).lean<CrmAutomationRecord[]>();
    for (const { _id, push } of pulling) {
      const nextAt = earliest({ pull: null, push });
      await this.automations.updateOne(
        { _id, workspaceId },
        {
          $set: { pull: null, problem: MAY_BE_WRITTEN_TO, ...(nextAt && { nextAt }) },
          ...(nextAt === null && { $unset: { nextAt: 1 } }),
        },
      );
    }
    return pulling.length;
  }
}
