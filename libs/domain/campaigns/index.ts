export { CampaignListItem, CampaignResponse } from './dto/campaign.dto';
export { CAMPAIGN_EXAMPLES } from './dto/campaign.examples';
export { CampaignQuery, CreateCampaignRequest, UpdateCampaignRequest } from './dto/campaign.requests';
export { CampaignSettingsResponse } from './dto/campaign-settings.dto';
export {
  SequenceImpactResponse,
  SequenceQuery,
  SequenceResponse,
  SequenceVersionResponse,
  SequenceVersionsQuery,
} from './dto/sequence.dto';
export { PublishSequenceRequest } from './dto/sequence.requests';
export { CampaignCounters, type CampaignCount, type CampaignSums } from './campaign.counters.service';
export { CampaignErasure } from './campaign.erasure.service';
export { CampaignReviews, type ReviewedCampaign } from './campaign.reviews.service';
export { CampaignShares, type CountedShare } from './campaign.shares.service';
export { type CampaignUse, CampaignUses, UNWRITTEN } from './campaign.uses';
export { type CampaignShare, type CampaignWithShare, CampaignWork } from './campaign.work.service';
export { CampaignCreationService } from './campaigns.creation.service';
export { CampaignDeletionService } from './campaigns.deletion.service';
export { CampaignDuplicationService } from './campaigns.duplication.service';
export { CampaignsModule } from './campaigns.module';
export { Campaigns } from './campaigns.reads.service';
export { CampaignsService } from './campaigns.service';
export { type CampaignMove, requireMove } from './campaign.status';
export { type CampaignMoved, CampaignTransitions } from './campaigns.transitions.service';
export { type LeadVerificationPolicy, type VerificationDeed, verificationOf } from './campaign.verification';
export { CampaignUpdateService } from './campaigns.update.service';
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
export { SequenceEditing } from './sequence.editing.service';
export { type CompiledVariant, PublishedSequence } from './sequence.published';
export { nextStep, stepById, stepFor } from './sequence.steps';
export { Sequences } from './sequences.service';
export { htmlOf } from './template/plain.body';
export {
  LEAD_VARIABLES,
  PERSON_FIELDS,
  SENDER_VARIABLES,
  SIGNATURE,
  STANDARD_VARIABLES,
} from './template/standard.variables';
export {
  type CompiledTemplate,
  type RenderedTemplate,
  type Template,
  type TemplateError,
  type TemplateKind,
  type TemplateNeed,
  usesVariable,
} from './template/template';
export { compileTemplate } from './template/template.compiler';
export { renderTemplate, unmetNeeds, type VariableLookup } from './template/template.renderer';
export { fitsPlace, oneLine } from './template/template.values';
export { SIGNATURE_CLASS, textPartOf } from './template/text.part';
export { nameFault } from './template/variable.name';
