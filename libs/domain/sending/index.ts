export { DirectMailService, type Limited } from './direct/direct-mail.service';
export { MailboxTestService } from './direct/mailbox-test.service';
export { type CampaignMailSourceService } from './pipeline/campaign-mail-source.service';
export {
  type AmbiguousMail,
  type ComposedMail,
  type LeftMail,
  type MailClaim,
  type MailOffer,
  type MailResolution,
  type OutboundMail,
  OUTBOUND_MAIL_SOURCES,
  type OutboundMailSource,
  type ReleasedMail,
  type SettledMail,
  type SupersededPart,
} from './pipeline/outbound-mail-source';
export { type SenderRun } from './pipeline/sender-run';
export { DiagnosticsResponse } from './dto/diagnostics.dto';
export { ExplanationResponse } from './dto/explanation.dto';
export { ReadinessResponse } from './dto/readiness.dto';
export {
  PreviewEmailRequest,
  PreviewEmailResponse,
  SENDING_EXAMPLES,
  TestEmailRequest,
  TestEmailResponse,
} from './dto/test-email.dto';
export { SimulateRequest, SimulationResponse } from './dto/simulation.dto';
export { CampaignDiagnosticsService } from './explain/campaign-diagnostics.service';
export { LeadExplanationService } from './explain/lead-explanation.service';
export { CampaignLaunchService } from './launch/campaign-launch.service';
export { CampaignTestEmailService } from './test-email/campaign-test-email.service';
export { CampaignCountersRebuildService, type Recounted } from './recount/campaign-counters-rebuild.service';
export { SendResolverService } from './pipeline/send-resolver.service';
export { CampaignSimulationService } from './simulate/campaign-simulation.service';
export { SendingModule } from './sending.module';
export { MailboxSenderService, type SingleRunEnd } from './pipeline/mailbox-sender.service';
