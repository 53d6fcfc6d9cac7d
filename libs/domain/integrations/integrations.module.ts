import { AuditModule } from '@domain/audit';
import { PersonEnrichmentModule } from '@domain/enrichment';
import { EventsModule } from '@domain/events';
import { AttentionSourcesModule } from '@domain/reports';
import { SuppressionsModule } from '@domain/suppressions';
import { CampaignsModule } from '@domain/campaigns';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { ChatDomainModule } from './chat/chat-domain.module';
import { CrmConnectionsModule } from './crm/crm-connections.module';
import { CrmSyncJobsService } from './crm/jobs/crm-sync-jobs.service';
import { CrmSyncLogService } from './crm/jobs/crm-sync-log.service';
import { CrmSyncJobRecord } from './crm/jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from './crm/jobs/schemas/crm-sync-result.record';
import { CrmWorkHandlerRegistry } from './crm/work-partitions/crm-work-handler.registry';
import { CrmWorkQueue } from './crm/work-partitions/crm-work.queue';
import { CrmWorkPartitionService } from './crm/work-partitions/crm-work-partition.service';
import { CrmWorkerService } from './crm/work-partitions/crm-worker.service';
import { CrmWorkPartitionRecord } from './crm/work-partitions/schemas/crm-work-partition.record';
import { CrmLinkRepository } from './crm/links/crm-link.repository';
import { CrmLinkRecord } from './crm/links/schemas/crm-link.record';
import { CrmPeopleService } from './crm/people/crm-people.service';
import { CrmPullService } from './crm/sync/crm-pull.service';
import { PulledPeopleService } from './crm/sync/pulled-people.service';
import { CrmPushBatchService } from './crm/sync/crm-push-batch.service';
import { CrmPushService } from './crm/sync/crm-push.service';
import { PushWrittenService } from './crm/sync/push-written.service';
import { CrmSyncJobRepository } from './crm/sync/crm-sync-job.repository';
import { CrmSyncListener } from './crm/sync/crm-sync.listener';
import { SyncRepairsRepository } from './crm/sync/sync-repairs.repository';
import { SyncWalkService } from './crm/sync/sync-walk.service';
import { CrmSyncWorkerService } from './crm/sync/crm-sync-worker.service';
import { SyncWritesRepository } from './crm/sync/sync-writes.repository';
import { IntegrationAttentionListener } from './integration-attention.listener';
import { IntegrationsService } from './integrations.service';

const collections = DatabaseModule.collections(
  CrmWorkPartitionRecord,
  CrmLinkRecord,
  CrmSyncJobRecord,
  CrmSyncResultRecord,
);
const syncs = [
  CrmPeopleService,
  CrmWorkQueue,
  CrmPullService,
  PulledPeopleService,
  CrmPushBatchService,
  CrmPushService,
  PushWrittenService,
  CrmSyncJobRepository,
  CrmSyncListener,
  SyncRepairsRepository,
  SyncWalkService,
  CrmSyncWorkerService,
  SyncWritesRepository,
];
const offered = [
  CrmSyncJobsService,
  CrmSyncLogService,
  CrmWorkPartitionService,
  CrmWorkHandlerRegistry,
  CrmLinkRepository,
  CrmWorkerService,
  IntegrationsService,
];

/** What the platform is connected with: CRMs, chat, the enrichment tool. */
@Module({
  imports: [
    collections,
    ChatDomainModule,
    CrmConnectionsModule,
    PersonEnrichmentModule,
    AuditModule,
    CampaignsModule,
    EventsModule,
    LeadsModule,
    AttentionSourcesModule,
    SuppressionsModule,
    WorkspacesModule,
    OutboundModule,
  ],
  providers: [...offered, IntegrationAttentionListener, ...syncs],
  exports: [...offered, ChatDomainModule, CrmConnectionsModule],
})
export class IntegrationsModule {}
