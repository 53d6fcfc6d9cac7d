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
export { type LeadAddress, LeadRepository, type PlacedLead } from './lead.repository';
export { LeadDoubtsService } from './lead-doubts.service';
export { ERASED_DOMAIN } from './lead-domains';
export { type FirstTime, LeadMailRepository } from './lead-mail.repository';
export { type LeadPlace } from './lead-walk.repository';
export { type FilledValue, type FoundValue, valueFault } from './lead-filling';
export { LeadGroupsRepository } from './lead-groups.repository';
export { type InsertedLeads, LeadInsertionService, type LeadOrigin } from './lead-insertion.service';
export { type AdvancedLead, type LeadProgress } from './lead-progress';
export { dueAtOf, postponementOf } from './lead-postponement';
export { type FreedLeads, LeadPostponementRepository } from './lead-postponement.repository';
export { type LeadGroup, LeadRecountRepository } from './lead-recount.repository';
export { LeadResumptionService } from './lead-resumption.service';
export { type NewLead, type SkippedLead, type SkipReason } from './lead-rows';
export { type LeadsToStop, type LeadStop, LeadStopService } from './lead-stop.service';
export { LeadActionsService } from './lead-actions.service';
export { LeadCreationService } from './lead-creation.service';
export { LeadExportService } from './lead-export.service';
export { type FilledLead, type KnownPerson, LeadFillingService } from './lead-filling.service';
export { DueLeadRepository, type EndedLead, type LeadRow } from './due-lead.repository';
export { LeadsModule } from './leads.module';
export { LeadsService } from './leads.service';
export { LeadUpdateService } from './lead-update.service';
export { LeadRecord, type LeadStatus, type LeadThread, type PersonField, type StopReason } from './schemas/lead.record';
export { actionFor, type UnverifiedLead, type VerifiedLead } from './verification/unverified-lead';
export {
  type VerificationCampaign,
  UnverifiedLeadService,
  type SettledLeads,
} from './verification/unverified-lead.service';
export { type LeadVerifier, LeadVerifierRegistry } from './verification/lead-verifier.registry';
export { ImportLeadsQuery, LeadImportQuery, LeadImportResponse } from './import/dto/lead-import.dto';
export { ImportDoubtsRepository } from './import/import-doubts.repository';
export { LeadImportsModule } from './import/lead-imports.module';
export { type ImportLeads } from './import/lead-import.queue';
export { LeadImportJobService } from './import/lead-import-job.service';
export { LeadImportUploadService } from './import/lead-import-upload.service';
export { LeadImportsService } from './import/lead-imports.service';
