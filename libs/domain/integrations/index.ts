export { ChatOAuthService } from './chat/oauth/chat-oauth.service';
export { ChatConsentService } from './chat/oauth/chat-consent.service';
export { type RunChatPartition } from './chat/delivery/chat-work.queue';
export { ChatWorkPartitionService } from './chat/delivery/chat-work-partition.service';
export { ChatDeliveryService } from './chat/delivery/chat-delivery.service';
export { SlackMessageResponse, SlackTestResponse } from './chat/dto/chat-message.dto';
export { SlackChannelsResponse, SlackResponse } from './chat/dto/chat.dto';
export { SLACK_EXAMPLES } from './chat/dto/chat-examples';
export { SetSlackRequest, SlackChannelsQuery, SlackMessagesQuery } from './chat/dto/chat-requests.dto';
export { ChatChannelsService } from './chat/settings/chat-channels.service';
export { ChatCheckService } from './chat/settings/chat-check.service';
export { ChatMessagesService } from './chat/settings/chat-messages.service';
export { ChatRemovalService } from './chat/settings/chat-removal.service';
export { ChatSettingsService } from './chat/settings/chat-settings.service';
export { ChatTestService } from './chat/settings/chat-test.service';
export {
  IntegrationOAuthSessionResponse,
  IntegrationOAuthStartResponse,
  StartIntegrationOAuthRequest,
} from './oauth/consent.dto';
export { type ConsentOutcome } from './oauth/consent-outcome';
export { CrmActivityBackfillService } from './crm/activity/crm-activity-backfill.service';
export { CrmActivitiesService } from './crm/activity/crm-activities.service';
export { CrmActivityQuery, CrmActivityResponse } from './crm/activity/dto/crm-activity.dto';
export { CrmAutomationJobService } from './crm/automation/crm-automation-job.service';
export { CrmAutomationModule } from './crm/automation/crm-automation.module';
export { CrmAutomationService } from './crm/automation/crm-automation.service';
export { PullDoubtsService } from './crm/automation/pull-doubts.service';
export { ActivityBackfillResponse, CrmAutomationResponse } from './crm/automation/dto/crm-automation.dto';
export {
  BackfillActivitiesRequest,
  CRM_AUTOMATION_EXAMPLES,
  SetCrmAutomationRequest,
} from './crm/automation/dto/crm-automation-requests.dto';
export { CrmCheckService } from './crm/connections/crm-check.service';
export { CrmConnectionSettingsService } from './crm/connections/crm-connection-settings.service';
export { CrmConnectionResponse, CrmTestResponse } from './crm/connections/dto/crm-connection.dto';
export { CRM_CONNECTION_EXAMPLES } from './crm/connections/dto/crm-connection-examples';
export { SetCrmRequest } from './crm/connections/dto/crm-connection-requests.dto';
export { StartCrmOAuthRequest } from './crm/connections/dto/crm-oauth-requests.dto';
export { CrmOAuthCallbackService } from './crm/oauth/crm-oauth-callback.service';
export { CrmOAuthService } from './crm/oauth/crm-oauth.service';
export { CrmFieldsService } from './crm/mapping/crm-fields.service';
export { CrmMappingsService } from './crm/mapping/crm-mappings.service';
export {
  CRM_MAPPING_EXAMPLE,
  CrmFieldsResponse,
  CrmMappingResponse,
  SetCrmMappingRequest,
} from './crm/mapping/dto/crm-mapping.dto';
export { IntegrationStatusesResponse } from './integration-status.dto';
export { IntegrationsService } from './integrations.service';
export { type FieldRule, type MappingRule } from './crm/mapping/field-rule';
export { IntegrationsModule } from './integrations.module';
export { CrmSyncJobDetailsResponse, CrmSyncJobResponse, CrmSyncResultResponse } from './crm/jobs/dto/crm-sync-job.dto';
export {
  CreateCrmSyncRequest,
  CRM_SYNC_EXAMPLES,
  CrmSyncJobQuery,
  CrmSyncResultQuery,
} from './crm/jobs/dto/crm-sync-job-requests.dto';
export { CrmSyncJobsService } from './crm/jobs/crm-sync-jobs.service';
export { CrmSyncLogService } from './crm/jobs/crm-sync-log.service';
export { CrmWorkPartitionService } from './crm/work-partitions/crm-work-partition.service';
export { type RunCrmPartition } from './crm/work-partitions/crm-work.queue';
export { CrmWorkerService } from './crm/work-partitions/crm-worker.service';
