import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { PersonEnrichmentModule } from '@domain/enrichment';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { LeadsModule } from '@domain/leads';
import { SuppressionsModule } from '@domain/suppressions';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { CrmConnectionsModule } from './crm-connections.module';
import { CrmSyncJobsService } from './jobs/crm-sync-jobs.service';
import { CrmSyncJobRecord } from './jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from './jobs/schemas/crm-sync-result.record';
import { CrmLinkRepository } from './links/crm-link.repository';
import { CrmLinkRecord } from './links/schemas/crm-link.record';
import { CrmPeopleService } from './people/crm-people.service';
import { CrmPullService } from './sync/crm-pull.service';
import { CrmPushBatchService } from './sync/crm-push-batch.service';
import { CrmPushService } from './sync/crm-push.service';
import { CrmSyncJobRepository } from './sync/crm-sync-job.repository';
import { CrmSyncWorkerService } from './sync/crm-sync-worker.service';
import { CrmSyncListener } from './sync/crm-sync.listener';
import { CrmWorkPartitionService } from './work-partitions/crm-work-partition.service';
import { CrmWorkQueue } from './work-partitions/crm-work.queue';
import { CrmWorkerService } from './work-partitions/crm-worker.service';
import { CrmWorkPartitionRecord } from './work-partitions/schemas/crm-work-partition.record';

const collections = DatabaseModule.collections(
  CrmWorkPartitionRecord,
  CrmLinkRecord,
  CrmSyncJobRecord,
  CrmSyncResultRecord,
);
const exported = [CrmSyncJobsService, CrmWorkPartitionService, CrmLinkRepository, CrmWorkerService];

/** CRM sync: connections, links between leads and CRM people, pull and push jobs. */
@Module({
  imports: [
    collections,
    CrmConnectionsModule,
    PersonEnrichmentModule,
    AuditModule,
    CampaignsModule,
    EventsModule,
    LeadsModule,
    SuppressionsModule,
    WorkspacesModule,
    OutboundModule,
  ],
  providers: [
    ...exported,
    CrmPeopleService,
    CrmWorkQueue,
    CrmPullService,
    CrmPushBatchService,
    CrmPushService,
    CrmSyncJobRepository,
    CrmSyncListener,
    CrmSyncWorkerService,
  ],
  exports: [...exported, CrmConnectionsModule],
})
export class CrmDomainModule {}
