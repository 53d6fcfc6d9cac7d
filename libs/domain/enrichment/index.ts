export {
  CreatedEnrichmentJobResponse,
  EnrichmentJobDetailsResponse,
  EnrichmentJobResponse,
  ListedEnrichmentJobResponse,
} from './dto/enrichment-job.dto';
export {
  CreateEnrichmentJobRequest,
  ENRICHMENT_EXAMPLES,
  EnrichmentExportQuery,
  EnrichmentJobQuery,
  EnrichmentResultQuery,
} from './dto/enrichment-job-requests.dto';
export { EnrichmentResultResponse } from './dto/enrichment-result.dto';
export { EnrichmentModule } from './enrichment.module';
export { EnrichmentJobsService } from './jobs/enrichment-jobs.service';
export { EnrichmentJobCreationService } from './jobs/enrichment-job-creation.service';
export { EnrichmentJobEndService } from './jobs/enrichment-job-end.service';
export { EnrichmentItemsService } from './runs/enrichment-items.service';
export { EnrichmentWorkerService } from './runs/enrichment-worker.service';
export { EnrichmentWorkPartitionService } from './runs/enrichment-work-partition.service';
export { EnrichmentCallbackResponse } from './tool/dto/callback-response.dto';
export { EnrichmentToolResponse, SetEnrichmentToolRequest } from './tool/dto/enrichment-tool.dto';
export { ENRICHMENT_TOOL_EXAMPLES } from './tool/dto/enrichment-tool-examples';
export { EnrichmentCallbackService } from './tool/callback/enrichment-callback.service';
export { PersonEnrichmentModule } from './tool/person-enrichment.module';
export { EnrichmentToolsService } from './tool/settings/enrichment-tools.service';
export { VERIFICATION_EXAMPLES, VerificationResponse, VerifyEmailRequest } from './verification/dto/verification.dto';
export { EmailVerificationModule } from './verification/email-verification.module';
export { type VerifyLeads } from './verification/leads/lead-verification.queue';
export { LeadVerificationJobService } from './verification/leads/lead-verification-job.service';
export { EmailVerificationService } from './verification/email-verification.service';
export { type EnrichmentType } from './item-handlers/enrichment-type';
export {
  type FinalOutcome,
  type ItemOutcome,
  type ItemHandler,
  type EnrichmentJobRef,
  type WorkItem,
} from './item-handlers/item-handler';
export { ITEM_HANDLERS } from './item-handlers/item-handler';
export { ENRICHMENT_PERSONAL_DATA } from './enrichment-personal-data';
