import { type CrmType } from '@adapters/crm';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { CrmConnectionHookRegistry } from '../connections/crm-connection-hook.registry';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmWorkHandlerRegistry } from '../work-partitions/crm-work-handler.registry';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { CrmSyncJobRepository } from './crm-sync-job.repository';
import { CrmSyncWorkerService } from './crm-sync-worker.service';

const REMOVED = { code: 'CRM_NOT_CONNECTED', message: 'The connection was removed' };

/** Registers sync jobs as work of partitions, and reacts to connection changes. */
@Injectable()
export class CrmSyncListener implements OnModuleInit {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly handlers: CrmWorkHandlerRegistry,
    private readonly hooks: CrmConnectionHookRegistry,
    private readonly worker: CrmSyncWorkerService,
    private readonly repository: CrmSyncJobRepository,
    private readonly partitions: CrmWorkPartitionService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this.worker);
    this.hooks.register({
      connected: (workspaceId, type) => this.partitions.scheduleNowInTransaction(workspaceId, type),
      disconnected: async (workspaceId, type, why) => {
        // A reconnected account continues its jobs; those of a removed account fail.
        if (why === 'removed') await this.#failOpenJobs(workspaceId, type);
      },
    });
  }

  async #failOpenJobs(workspaceId: string, crmType: CrmType): Promise<void> {
    const open = await this.jobs.find({ workspaceId, crmType, open: true }).lean<CrmSyncJobRecord[]>();
    for (const job of open) await this.repository.fail(job, REMOVED);
    await this.partitions.scheduleWithReset(workspaceId, crmType);
  }
}
