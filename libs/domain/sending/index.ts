export { AsideTurns } from './aside/aside.turns.service';
export { type AsideEnd, type AsideMail, type AsideOutcome, type AsideWork } from './aside/aside.work';
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
export { CampaignDiagnostics } from './explain/campaign.diagnostics.service';
export { LeadExplanations } from './explain/lead.explanation.service';
export { CampaignLaunch } from './launch/campaign.launch.service';
export { CampaignTestEmails } from './test-email/campaign.test-emails.service';
export { CounterRebuild, type Recounted } from './recount/counter.rebuild.service';
export { SendResolver } from './resolve/resolver.service';
export { CampaignSimulation } from './simulate/simulation.service';
export { SendingModule } from './sending.module';
export { MailboxTurns } from './turn/turn.service';
