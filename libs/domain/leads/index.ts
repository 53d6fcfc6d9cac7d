export { LeadActionResponse, LeadResponse, LeadsAddedResponse } from './dto/lead.dto';
export { LEAD_EXAMPLES } from './dto/lead.examples';
export {
  AddLeadsRequest,
  LeadActionRequest,
  LeadExportQuery,
  LeadFiltersRequest,
  LeadQuery,
  UpdateLeadRequest,
} from './dto/lead.requests';
export { type LeadAddress, LeadAddresses, type PlacedLead } from './lead.addresses.service';
export { LeadDoubts } from './lead.doubts.service';
export { ERASED_DOMAIN } from './lead.domains';
export { type FirstTime, LeadMail } from './lead.mail.service';
export { type LeadPlace } from './lead.walk.service';
export { type FilledValue, type FoundValue, valueFault } from './lead.filling';
export { LeadGroups } from './lead.groups.service';
export { type InsertedLeads, LeadInsertion, type LeadOrigin } from './lead.insertion.service';
export { type AdvancedLead, type LeadProgress } from './lead.progress';
export { dueAtOf, postponementOf } from './lead.postponement';
export { type FreedLeads, LeadPostponements } from './lead.postponements.service';
export { type LeadGroup, LeadRecount } from './lead.recount.service';
export { LeadResumption } from './lead.resumption.service';
export { type NewLead, type SkippedLead, type SkipReason } from './lead.rows';
export { type LeadsToStop, type LeadStop, LeadStops } from './lead.stops.service';
export { LeadActions } from './leads.actions.service';
export { LeadCreation } from './leads.creation.service';
export { LeadExport } from './leads.export.service';
export { type FilledLead, type KnownPerson, LeadFilling } from './leads.filling.service';
export { DueLeads, type EndedLead, type LeadRow } from './leads.due.service';
export { LeadsModule } from './leads.module';
export { LeadsService } from './leads.service';
export { LeadUpdate } from './leads.update.service';
export { LeadRecord, type LeadStatus, type LeadThread, type PersonField, type StopReason } from './schemas/lead.record';
export { deedFor, type HeldLead, type JudgedLead } from './verification/held.lead';
export { type HeldCampaign, HeldLeads, type SettledLeads } from './verification/held.leads.service';
export { type LeadVerifier, LeadVerifiers } from './verification/lead.verifiers';
export { ImportLeadsQuery, LeadImportQuery, LeadImportResponse } from './import/dto/lead-import.dto';
export { ImportDoubts } from './import/import.doubts.service';
export { LeadImportsModule } from './import/lead-imports.module';
export { type ImportLeads } from './import/leads.import.queue';
export { LeadImports } from './import/leads.import.service';
export { LeadImportUpload } from './import/leads.import.upload.service';
export { LeadImportsService } from './import/leads.imports.service';
