export { LeadActionResponse, LeadResponse, LeadsAddedResponse } from './dto/lead.dto';
export { LEAD_EXAMPLES } from './dto/lead.examples';
export {
  AddLeadsRequest,
  LeadActionRequest,
  LeadExportQuery,
  LeadQuery,
  NewLeadRequest,
  UpdateLeadRequest,
} from './dto/lead.requests';
export { LeadCampaigns } from './lead.campaigns.service';
export { type InsertedLeads, LeadInsertion, type LeadOrigin, MAX_ROWS } from './lead.insertion.service';
export { LeadResumption } from './lead.resumption.service';
export { type NewLead, type SkippedLead, type SkipReason } from './lead.rows';
export { type LeadsToStop, type LeadStop, LeadStops } from './lead.stops.service';
export {
  MAX_VARIABLE,
  MAX_VARIABLES,
  PERSON_LIMITS,
  textFault,
  variableFaults,
  variableNameFault,
} from './lead.values';
export { leadVariable, stepOf } from './lead.variables';
export { LeadActions } from './leads.actions.service';
export { LeadCreation } from './leads.creation.service';
export { LeadExport } from './leads.export.service';
export { type AdvancedLead, DueLeads, type EndedLead, type LeadProgress } from './leads.due.service';
export { LeadsModule } from './leads.module';
export { LeadsService } from './leads.service';
export { LeadUpdate } from './leads.update.service';
export {
  LeadRecord,
  type LeadStatus,
  type LeadThread,
  type PersonField,
  PERSON_FIELDS,
  type StopReason,
} from './schemas/lead.record';
export { ImportLeadsQuery, LeadImportQuery, LeadImportResponse } from './import/dto/lead-import.dto';
export { LeadImportsModule } from './import/lead-imports.module';
export { type ImportLeads } from './import/leads.import.queue';
export { LeadImports } from './import/leads.import.service';
export { LeadImportUpload } from './import/leads.import.upload.service';
export { LeadImportsService } from './import/leads.imports.service';
