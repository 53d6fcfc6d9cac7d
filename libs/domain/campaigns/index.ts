export { CampaignListItem, CampaignResponse } from './dto/campaign.dto';
export { CAMPAIGN_EXAMPLES } from './dto/campaign-examples';
export { CampaignQuery, CreateCampaignRequest, UpdateCampaignRequest } from './dto/campaign-requests.dto';
export { CampaignSettingsResponse } from './dto/campaign-settings.dto';
export {
  SequenceImpactResponse,
  SequenceQuery,
  SequenceResponse,
  SequenceVersionResponse,
  SequenceVersionsQuery,
} from './dto/sequence.dto';
export { PublishSequenceRequest } from './dto/sequence-requests.dto';
export { CampaignCountersService, type CampaignCount, type CampaignSums } from './campaign-counters.service';
export { CampaignRepository, type ReviewedCampaign, type CountedShare } from './campaign.repository';

export { CAMPAIGN_HOOKS, type CampaignHooks, UNWRITTEN } from './campaign-hooks';
export { type CampaignShare, type CampaignWithShare, ActiveCampaignsRepository } from './active-campaigns.repository';
export { CampaignsService } from './campaigns.service';

export { CampaignsModule } from './campaigns.module';

export { type CampaignMove, requireMove } from './campaign-status';
export { type CampaignStatusChange, CampaignStatusService } from './campaign-status.service';
export { type LeadVerificationPolicy, type VerificationAction, getVerification } from './campaign-verification';

export { type CampaignFigure, type LeadTally, type StepFigure } from './schemas/campaign-mailbox.record';
export {
  type RemovedStep,
  type SequenceStep,
  type StepDelay,
  type StepVariant,
} from './schemas/campaign-sequence.record';
export {
  type CampaignProblem,
  type CampaignRecord,
  type CampaignSchedule,
  type CampaignStatus,
} from './schemas/campaign.record';
export { CampaignSequenceService } from './campaign-sequence.service';
export { type CompiledVariant, PublishedSequence } from './published-sequence';
export { nextStep, stepById, stepFor } from './sequence-steps';
export { SequenceVersionService } from './sequence-version.service';
export { toBodyHtml as toHtml } from './template/plain-body';
export {
  LEAD_VARIABLES,
  PERSON_FIELDS,
  SENDER_VARIABLES,
  SIGNATURE,
  STANDARD_VARIABLES,
} from './template/standard-variables';
export {
  type CompiledTemplate,
  type RenderedTemplate,
  type Template,
  type TemplateError,
  type TemplateKind,
  type TemplateNeed,
  usesVariable,
} from './template/template';
export { compileTemplate } from './template/template-compiler';
export { renderTemplate, unmetNeeds, type VariableLookup } from './template/template-renderer';
export { fitsPlace, oneLine } from './template/template-values';
export { SIGNATURE_CLASS, toTextPart } from './template/text-part';
export { nameFault } from './template/variable-name';
