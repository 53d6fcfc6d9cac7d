import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import {
  CRM_CONNECTION_HOOKS,
  type CrmConnectionHooks,
  type CrmDisconnection,
} from '../connections/crm-connection-hooks';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { CrmSyncJobRepository } from './crm-sync-job.repository';

const REMOVED = { code: 'CRM_NOT_CONNECTED', message: 'The connection was removed' };

/** Continues or fails sync jobs when their connection changes. */
@Injectable()
@Listens(CRM_CONNECTION_HOOKS)
export class CrmSyncListener implements CrmConnectionHooks {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly repository: CrmSyncJobRepository,
    private readonly partitions: CrmWorkPartitionService,
  ) {}

  async connected(workspaceId: string, crmType: CrmType): Promise<void> {
    await this.partitions.scheduleNowInTransaction(workspaceId, crmType);
  }

  /** A reconnected account continues its jobs; those of a removed account fail. */
  async disconnected(workspaceId: string, crmType: CrmType, why: CrmDisconnection): Promise<void> {
    if (why !== 'removed') return;
    const open = await this.jobs.find({ workspaceId, crmType, open: true }).lean<CrmSyncJobRecord[]>();
    for (const job of open) await this.repository.fail(job, REMOVED);
    await this.partitions.scheduleWithReset(workspaceId, crmType);
  }
}
