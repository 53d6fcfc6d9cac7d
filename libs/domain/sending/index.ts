export { ReadinessResponse } from './dto/readiness.dto';
export {
  PreviewEmailRequest,
  PreviewEmailResponse,
  SENDING_EXAMPLES,
  TestEmailRequest,
  TestEmailResponse,
} from './dto/test-email.dto';
export { CampaignLaunch } from './launch/campaign.launch.service';
export { CampaignTestEmails } from './test-email/campaign.test-emails.service';
export { Resolutions } from './resolve/resolutions.service';
export { SendResolver } from './resolve/resolver.service';
export { SendingModule } from './sending.module';
export { MailboxTurns } from './turn/turn.service';
