import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ActivityBackfills } from '../activity/activity.backfills.service';
import { ActivityOutcomes } from '../activity/activity.outcomes.service';
import { ActivityPeople } from '../activity/activity.people.service';
import { ActivityTexts } from '../activity/activity.texts.service';
import { ActivityWork } from '../activity/activity.work.service';
import { CrmActivities } from '../activity/crm.activities.service';
import { NewActivities } from '../activity/new.activities.service';
import { CrmActivityRecord } from '../activity/schemas/crm-activity.record';
import { IntegrationsModule } from '../../integrations.module';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { AutomationFanOut } from './automation.fan-out.service';
import { AutomationRuns } from './automation.runs.service';
import { AutomationUses } from './automation.uses.service';
import { CrmAutomations } from './crm.automations.service';
import { DuePushes } from './due.pushes.service';
import { PullDoubts } from './pull.doubts.service';
import { CrmAutomationRecord } from './schemas/crm-automation.record';
import { CrmDuePushRecord } from './schemas/crm-due-push.record';
import { SyncBegins } from './sync.begins.service';

const collections = DatabaseModule.collections(
  CrmActivityRecord,
  CrmAutomationRecord,
  CrmDuePushRecord,
  CrmConnectionRecord,
  CrmSyncJobRecord,
);
const activity = [NewActivities, ActivityTexts, ActivityPeople, ActivityOutcomes, ActivityWork];
const automation = [AutomationFanOut, AutomationUses, DuePushes, SyncBegins];
const offered = [CrmAutomations, CrmActivities, ActivityBackfills, AutomationRuns, PullDoubts];

/** What happens with CRMs by itself: what they are told, and the syncs that begin without anybody. */
@Module({
  imports: [collections, AuditModule, CampaignsModule, EventsModule, WorkspacesModule, IntegrationsModule],
  providers: [...activity, ...automation, ...offered],
  exports: offered,
})
export class CrmAutomationModule {}
