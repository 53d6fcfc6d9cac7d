import { type CrmType } from '@adapters/crm';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { CrmConnectionUses } from '../connections/crm.connection-uses';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmLaneWorks } from '../lanes/crm.lane.works';
import { CrmLanes } from '../lanes/crm.lanes.service';
import { SyncEnds } from './sync.ends.service';
import { SyncWork } from './sync.work.service';

const REMOVED = { code: 'CRM_NOT_CONNECTED', message: 'The connection was removed' };

/** Has syncs done in lanes, and told when connections come and go. */
@Injectable()
export class SyncRegistration implements OnModuleInit {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly works: CrmLaneWorks,
    private readonly uses: CrmConnectionUses,
    private readonly work: SyncWork,
    private readonly ends: SyncEnds,
    private readonly lanes: CrmLanes,
  ) {}

  onModuleInit(): void {
    this.works.register(this.work);
    this.uses.register({
      connected: (workspaceId, type) => this.lanes.plantAwake(workspaceId, type),
      disconnected: async (workspaceId, type, why) => {
        // Whoever connects it anew goes on with what waits; of an account that was removed nobody does.
        if (why === 'removed') await this.#forget(workspaceId, type);
      },
    });
  }

  async #forget(workspaceId: string, crmType: CrmType): Promise<void> {
    const open = await this.jobs.find({ workspaceId, crmType, open: true }).lean<CrmSyncJobRecord[]>();
    for (const job of open) await this.ends.fail(job, REMOVED);
    await this.lanes.plantForgetting(workspaceId, crmType);
  }
}
