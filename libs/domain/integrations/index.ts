export { ChatCallback } from './chat/consent/chat.callback.service';
export { ChatConsent } from './chat/consent/chat.consent.service';
export { type ChatLane } from './chat/delivery/chat.lanes.queue';
export { ChatLanes } from './chat/delivery/chat.lanes.service';
export { ChatTurns } from './chat/delivery/chat.turns.service';
export { SlackMessageResponse, SlackTestResponse } from './chat/dto/chat-message.dto';
export { SlackChannelsResponse, SlackResponse } from './chat/dto/chat.dto';
export { SLACK_EXAMPLES } from './chat/dto/chat.examples';
export { SetSlackRequest, SlackChannelsQuery, SlackMessagesQuery } from './chat/dto/chat.requests';
export { ChatChannelList } from './chat/settings/chat.channels.service';
export { ChatChecks } from './chat/settings/chat.checks.service';
export { ChatMessages } from './chat/settings/chat.messages.service';
export { ChatRemoval } from './chat/settings/chat.removal.service';
export { ChatSettingsService } from './chat/settings/chat.settings.service';
export { ChatTest } from './chat/settings/chat.test.service';
export {
  IntegrationOAuthSessionResponse,
  IntegrationOAuthStartResponse,
  StartIntegrationOAuthRequest,
} from './consent/consent.dto';
export { type ConsentOutcome } from './consent/consent.outcome';
export { ActivityBackfills } from './crm/activity/activity.backfills.service';
export { CrmActivities } from './crm/activity/crm.activities.service';
export { CrmActivityQuery, CrmActivityResponse } from './crm/activity/dto/crm-activity.dto';
export { AutomationRuns } from './crm/automation/automation.runs.service';
export { CrmAutomationModule } from './crm/automation/crm-automation.module';
export { CrmAutomations } from './crm/automation/crm.automations.service';
export { PullDoubts } from './crm/automation/pull.doubts.service';
export { ActivityBackfillResponse, CrmAutomationResponse } from './crm/automation/dto/crm-automation.dto';
export {
  BackfillActivitiesRequest,
  CRM_AUTOMATION_EXAMPLES,
  SetCrmAutomationRequest,
} from './crm/automation/dto/crm-automation.requests';
export { CrmChecks } from './crm/connections/crm.checks.service';
export { CrmSettingsService } from './crm/connections/crm.settings.service';
export { CrmConnectionResponse, CrmTestResponse } from './crm/connections/dto/crm-connection.dto';
export { CRM_CONNECTION_EXAMPLES } from './crm/connections/dto/crm-connection.examples';
export { SetCrmRequest } from './crm/connections/dto/crm-connection.requests';
export { StartCrmOAuthRequest } from './crm/connections/dto/crm-oauth.requests';
export { CrmOAuthCallback } from './crm/consent/crm.oauth.callback.service';
export { CrmOAuth } from './crm/consent/crm.oauth.service';
export { CrmFields } from './crm/mapping/crm.fields.service';
export { CrmMappings } from './crm/mapping/crm.mappings.service';
export {
  CRM_MAPPING_EXAMPLE,
  CrmFieldsResponse,
  CrmMappingResponse,
  SetCrmMappingRequest,
} from './crm/mapping/dto/crm-mapping.dto';
export { IntegrationStatusesResponse } from './status/integration-status.dto';
export { IntegrationStatuses } from './status/integration.statuses.service';
export { type FieldRule, type KeptRule } from './crm/mapping/field.rule';
export { IntegrationsModule } from './integrations.module';
export { CrmSyncJobDetailsResponse, CrmSyncJobResponse, CrmSyncResultResponse } from './crm/jobs/dto/crm-sync-job.dto';
export {
  CreateCrmSyncRequest,
  CRM_SYNC_EXAMPLES,
  CrmSyncJobQuery,
  CrmSyncResultQuery,
} from './crm/jobs/dto/crm-sync-job.requests';
export { CrmSyncJobs } from './crm/jobs/crm.sync-jobs.service';
export { CrmSyncLog } from './crm/jobs/crm.sync-log.service';
export { CrmLanes } from './crm/lanes/crm.lanes.service';
export { type RunCrmLane } from './crm/lanes/crm.lanes.queue';
export { CrmTurns } from './crm/lanes/crm.turns.service';
