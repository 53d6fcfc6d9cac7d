export { LeadActionResponse, LeadResponse, LeadsAddedResponse } from './dto/lead.dto';
export { LEAD_EXAMPLES } from './dto/lead-examples';
export {
  AddLeadsRequest,
  LeadActionRequest,
  LeadExportQuery,
  LeadFiltersRequest,
  LeadQuery,
  UpdateLeadRequest,
} from './dto/lead-requests.dto';
export {
  type LeadAddress,
  LeadRepository,
  type PlacedLead,
  type FirstTime,
  type LeadPlace,
  type LeadGroup,
} from './lead.repository';
export { LeadPauseService } from './lead-pause.service';
export { type FilledValue, type FoundValue, findValueFault } from './lead-enrichment';
export { DueLeadRepository, type EndedLead, type LeadRow } from './due-lead.repository';
export { type InsertedLeads, LeadInsertionService, type LeadOrigin } from './lead-insertion.service';
export { type AdvancedLead, type LeadProgress } from './lead-progress';
export { getLeadDueAt as getDueAt, findPostponement } from './lead-postponement';
export { type FreedLeads, LeadPostponementRepository } from './lead-postponement.repository';
export { type NewLead, type SkippedLead, type SkipReason } from './lead-rows';
export { type LeadsToStop, type LeadStop, LeadStopService } from './lead-stop.service';
export { LeadActionsService } from './lead-actions.service';
export { LeadsService } from './leads.service';
export { type FilledLead, type LeadPerson, LeadEnrichmentService } from './lead-enrichment.service';
export { LeadsModule } from './leads.module';
export { LeadRecord, type LeadStatus, type LeadThread, type PersonField, type StopReason } from './schemas/lead.record';
export { decideAction, type UnverifiedLead, type VerifiedLead } from './verification/unverified-lead';
export {
  type VerificationCampaign,
  UnverifiedLeadService,
  type SettledLeads,
} from './verification/unverified-lead.service';
export { LEAD_VERIFIER, type LeadVerifier } from './verification/lead-verifier';
export { ImportLeadsQuery, LeadImportQuery, LeadImportResponse } from './import/dto/lead-import.dto';
export { LeadImportRepository } from './import/lead-import.repository';
export { LeadImportsModule } from './import/lead-imports.module';
export { LeadImportJobService } from './import/lead-import-job.service';
export { LeadImportsService } from './import/lead-imports.service';
export { LEADS_PERSONAL_DATA } from './lead-personal-data';
