export { CrmActivitiesService } from './activity/crm-activities.service';
export { CrmActivityBackfillService } from './activity/crm-activity-backfill.service';
export { CrmActivityQuery, CrmActivityResponse } from './activity/dto/crm-activity.dto';
export { CrmAutomationJobService } from './automation/crm-automation-job.service';
export { CrmAutomationModule } from './automation/crm-automation.module';
export { CrmAutomationService } from './automation/crm-automation.service';
export {
  BackfillActivitiesRequest,
  CRM_AUTOMATION_EXAMPLES,
  SetCrmAutomationRequest,
} from './automation/dto/crm-automation-requests.dto';
export { ActivityBackfillResponse, CrmAutomationResponse } from './automation/dto/crm-automation.dto';
export { CrmCheckService } from './connections/crm-check.service';
export { CrmConnectionSettingsService } from './connections/crm-connection-settings.service';
export { CRM_CONNECTION_EXAMPLES } from './connections/dto/crm-connection-examples';
export { SetCrmRequest } from './connections/dto/crm-connection-requests.dto';
export { CrmConnectionResponse, CrmTestResponse } from './connections/dto/crm-connection.dto';
export { StartCrmOAuthRequest } from './connections/dto/crm-oauth-requests.dto';
export { CRM_STATUSES, CrmConnectionRecord, type CrmStatus } from './connections/schemas/crm-connection.record';
export { CrmDomainModule } from './crm-domain.module';
export { CrmSyncJobsService } from './jobs/crm-sync-jobs.service';
export {
  CRM_SYNC_EXAMPLES,
  CreateCrmSyncRequest,
  CrmSyncJobQuery,
  CrmSyncResultQuery,
} from './jobs/dto/crm-sync-job-requests.dto';
export { CrmSyncJobDetailsResponse, CrmSyncJobResponse, CrmSyncResultResponse } from './jobs/dto/crm-sync-job.dto';
export { CrmMappingsService } from './mapping/crm-mappings.service';
export {
  CRM_MAPPING_EXAMPLE,
  CrmFieldsResponse,
  CrmMappingResponse,
  SetCrmMappingRequest,
} from './mapping/dto/crm-mapping.dto';
export { type FieldRule, type MappingRule } from './mapping/field-rule';
export { CrmOAuthService } from './oauth/crm-oauth.service';
export { CrmWorkPartitionService } from './work-partitions/crm-work-partition.service';
export { CrmWorkerService } from './work-partitions/crm-worker.service';
export { CRM_PERSONAL_DATA } from './crm-personal-data';
