import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CrmActivityBackfillService } from '../activity/crm-activity-backfill.service';
import { CrmActivityJobService } from '../activity/crm-activity-job.service';
import { CrmActivityPeopleService } from '../activity/crm-activity-people.service';
import { CrmActivitiesService } from '../activity/crm-activities.service';
import { CrmActivityRecord } from '../activity/schemas/crm-activity.record';
import { CrmDomainModule } from '../crm-domain.module';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmAutomationListener } from './crm-automation.listener';
import { CrmAutomationJobService } from './crm-automation-job.service';
import { CrmAutomationService } from './crm-automation.service';
import { CrmPushQueueRepository } from './crm-push-queue.repository';
import { CrmAutomationRecord } from './schemas/crm-automation.record';
import { CrmDuePushRecord } from './schemas/crm-due-push.record';

const collections = DatabaseModule.collections(
  CrmActivityRecord,
  CrmAutomationRecord,
  CrmDuePushRecord,
  CrmConnectionRecord,
  CrmSyncJobRecord,
);
const activity = [CrmActivityPeopleService, CrmActivityJobService];
const automation = [CrmAutomationListener, CrmPushQueueRepository];
const offered = [CrmAutomationService, CrmActivitiesService, CrmActivityBackfillService, CrmAutomationJobService];

/** CRM automation: activities posted to timelines, and scheduled syncs. */
@Module({
  imports: [collections, AuditModule, CampaignsModule, EventsModule, WorkspacesModule, CrmDomainModule],
  providers: [...activity, ...automation, ...offered],
  exports: offered,
})
export class CrmAutomationModule {}
