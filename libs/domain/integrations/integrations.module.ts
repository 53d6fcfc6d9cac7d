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
import { ChatIntegrationModule } from './chat/chat-integration.module';
import { CrmConnectionsModule } from './crm/crm-connections.module';
import { CrmSyncJobs } from './crm/jobs/crm.sync-jobs.service';
import { CrmSyncLog } from './crm/jobs/crm.sync-log.service';
import { CrmSyncJobRecord } from './crm/jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from './crm/jobs/schemas/crm-sync-result.record';
import { CrmLaneWorks } from './crm/lanes/crm.lane.works';
import { CrmLaneQueue } from './crm/lanes/crm.lanes.queue';
import { CrmLanes } from './crm/lanes/crm.lanes.service';
import { CrmTurns } from './crm/lanes/crm.turns.service';
import { CrmLaneRecord } from './crm/lanes/schemas/crm-lane.record';
import { CrmLinks } from './crm/links/crm.links.service';
import { CrmLinkRecord } from './crm/links/schemas/crm-link.record';
import { CrmPeople } from './crm/people/crm.people.service';
import { PullSteps } from './crm/runs/pull.steps.service';
import { PulledPeople } from './crm/runs/pulled.people.service';
import { PushBatches } from './crm/runs/push.batch.service';
import { PushSteps } from './crm/runs/push.steps.service';
import { PushWritten } from './crm/runs/push.written.service';
import { SyncEnds } from './crm/runs/sync.ends.service';
import { SyncRegistration } from './crm/runs/sync.registration.service';
import { SyncRepairs } from './crm/runs/sync.repairs.service';
import { SyncWalk } from './crm/runs/sync.walk.service';
import { SyncWork } from './crm/runs/sync.work.service';
import { SyncWrites } from './crm/runs/sync.writes.service';
import { IntegrationAttention } from './status/integration.attention.service';
import { IntegrationStatuses } from './status/integration.statuses.service';

const collections = DatabaseModule.collections(CrmLaneRecord, CrmLinkRecord, CrmSyncJobRecord, CrmSyncResultRecord);
const syncs = [
  CrmPeople,
  CrmLaneQueue,
  PullSteps,
  PulledPeople,
  PushBatches,
  PushSteps,
  PushWritten,
  SyncEnds,
  SyncRegistration,
  SyncRepairs,
  SyncWalk,
  SyncWork,
  SyncWrites,
];
const offered = [CrmSyncJobs, CrmSyncLog, CrmLanes, CrmLaneWorks, CrmLinks, CrmTurns, IntegrationStatuses];

/** What the platform is connected with: CRMs, chat, the enrichment tool. */
@Module({
  imports: [
    collections,
    ChatIntegrationModule,
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
  providers: [...offered, IntegrationAttention, ...syncs],
  exports: [...offered, ChatIntegrationModule, CrmConnectionsModule],
})
export class IntegrationsModule {}
