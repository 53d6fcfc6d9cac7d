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
} from './dto/enrichment-job.requests';
export { EnrichmentResultResponse } from './dto/enrichment-result.dto';
export { EnrichmentModule } from './enrichment.module';
export { EnrichmentJobs } from './jobs/enrichment.jobs.service';
export { EnrichmentResults } from './jobs/enrichment.results.service';
export { EnrichmentJobCreation } from './jobs/job.creation.service';
export { EnrichmentExpiry } from './jobs/job.expiry.service';
export { EnrichmentItems } from './runs/item.outcomes.service';
export { EnrichmentTurns } from './runs/lane.turns.service';
export { type RunEnrichmentLane } from './runs/lanes.queue';
export { EnrichmentLanes } from './runs/lanes.service';
export { EnrichmentCallbackResponse } from './tool/dto/callback.response';
export { EnrichmentToolResponse, SetEnrichmentToolRequest } from './tool/dto/enrichment-tool.dto';
export { ENRICHMENT_TOOL_EXAMPLES } from './tool/dto/enrichment-tool.examples';
export { ToolCallbacks } from './tool/callback/tool.callbacks.service';
export { PersonEnrichmentModule } from './tool/person-enrichment.module';
export { EnrichmentToolsService } from './tool/settings/enrichment-tools.service';
export { VERIFICATION_EXAMPLES, VerificationResponse, VerifyEmailRequest } from './verification/dto/verification.dto';
export { EmailVerificationModule } from './verification/email-verification.module';
export { type VerifyLeads } from './verification/leads/lead-verification.queue';
export { LeadVerificationRuns } from './verification/leads/lead-verification.runs.service';
export { LeadVerificationTurns } from './verification/leads/lead-verification.turns.service';
export { SingleVerification } from './verification/single.verification.service';
export { type EnrichmentType } from './work/enrichment.type';
export { type FinalOutcome, type ItemOutcome, type ItemWork, type JobAtWork, type WorkItem } from './work/item.work';
export { ItemWorks } from './work/item.works';
