import { AgentReplyJobService, AgentTrainingJobService } from '@domain/agents';
import { ChatWorkPartitionService } from '@domain/chat';
import { CrmWorkPartitionService } from '@domain/crm';
import { BlacklistTestJobService, DomainHealthJobService } from '@domain/deliverability';
import { EnrichmentWorkPartitionService, LeadVerificationJobService } from '@domain/enrichment';
import { WorkspaceDeletionService } from '@domain/identity';
import { MailIntakeService, ReplyLabelService } from '@domain/inbox';
import { LeadImportJobService } from '@domain/leads';
import { MailboxCheckService } from '@domain/mailboxes';
import { ReportDeliveryService } from '@domain/reports';
import { MailboxLeaseService } from '@domain/sends';
import { WarmupSenderService } from '@domain/warmup';
import { WebhookWorkPartitionService, WebhookReplayService } from '@domain/webhooks';
import { type Type } from '@nestjs/common';
import { type Sweep } from '@platform/queues';
import { AgentErasureProcessor } from './agents/agent-erasure.processor';
import { AgentReplyProcessor } from './agents/agent-reply.processor';
import { AgentTrainingProcessor } from './agents/agent-training.processor';
import { BlacklistScheduleProcessor } from './deliverability/blacklist-schedule.processor';
import { BlacklistTestProcessor } from './deliverability/blacklist-test.processor';
import { CampaignErasureProcessor } from './campaigns/campaign-erasure.processor';
import { CreditExpiryProcessor } from './credits/credit-expiry.processor';
import { MailboxHealthProcessor } from './deliverability/mailbox-health.processor';
import { EnrichmentExpiryProcessor } from './enrichment/enrichment-expiry.processor';
import { EnrichmentWorkProcessor } from './enrichment/enrichment-work.processor';
import { LeadVerificationProcessor } from './enrichment/lead-verification.processor';
import { EventRelayProcessor } from './events/event-relay.processor';
import { CrmWorkProcessor } from './integrations/crm-work.processor';
import { MailIntakeProcessor } from './inbox/mail-intake.processor';
import { ReplyLabelProcessor } from './inbox/reply-label.processor';
import { CrmCheckProcessor } from './integrations/crm-check.processor';
import { type JobProcessor } from './jobs';
import { ChatCheckProcessor } from './integrations/chat-check.processor';
import { ChatWorkProcessor } from './integrations/chat-work.processor';
import { LeadResumeProcessor } from './leads/lead-resume.processor';
import { CrmAutomationProcessor } from './integrations/crm-automation.processor';
import { LeadImportProcessor } from './leads/lead-import.processor';
import { MailboxCheckProcessor } from './mailboxes/mailbox-check.processor';
import { MailboxErasureProcessor } from './mailboxes/mailbox-erasure.processor';
import { UnreadableMailProcessor } from './mailboxes/unreadable-mail.processor';
import { ReportDeliveryProcessor } from './reports/report-delivery.processor';
import { ReportScheduleProcessor } from './reports/report-schedule.processor';
import { MailboxSendProcessor } from './sending/mailbox-send.processor';
import { SenderProtectionProcessor } from './protection/sender-protection.processor';
import { SendResolutionProcessor } from './sending/send-resolution.processor';
import { TrackingHostsProcessor } from './tracking/tracking-hosts.processor';
import { HitClassificationProcessor } from './tracking/hit-classification.processor';
import { WarmupOpeningProcessor } from './warmup/warmup-opening.processor';
import { WarmupPlanProcessor } from './warmup/warmup-plan.processor';
import { WarmupSendProcessor } from './warmup/warmup-send.processor';
import { WarmupWatchProcessor } from './warmup/warmup-watch.processor';
import { WebhookErasureProcessor } from './webhooks/webhook-erasure.processor';
import { WebhookWorkProcessor } from './webhooks/webhook-work.processor';
import { WebhookReplayProcessor } from './webhooks/webhook-replay.processor';
import { WorkspacePurgeProcessor } from './identity/workspace-purge.processor';

/** All processors; the counterpart of the API's controllers.ts. */
export const processors: readonly Type<JobProcessor>[] = [
  CreditExpiryProcessor,
  CrmCheckProcessor,
  WorkspacePurgeProcessor,
  MailboxCheckProcessor,
  MailboxErasureProcessor,
  LeadImportProcessor,
  CampaignErasureProcessor,
  LeadResumeProcessor,
  MailboxSendProcessor,
  SendResolutionProcessor,
  MailIntakeProcessor,
  ReplyLabelProcessor,
  HitClassificationProcessor,
  EventRelayProcessor,
  SenderProtectionProcessor,
  UnreadableMailProcessor,
  TrackingHostsProcessor,
  WebhookWorkProcessor,
  WebhookReplayProcessor,
  WebhookErasureProcessor,
  AgentErasureProcessor,
  AgentTrainingProcessor,
  AgentReplyProcessor,
  MailboxHealthProcessor,
  BlacklistTestProcessor,
  BlacklistScheduleProcessor,
  EnrichmentWorkProcessor,
  LeadVerificationProcessor,
  EnrichmentExpiryProcessor,
  CrmAutomationProcessor,
  ChatCheckProcessor,
  ChatWorkProcessor,
  WarmupPlanProcessor,
  WarmupSendProcessor,
  WarmupOpeningProcessor,
  WarmupWatchProcessor,
  ReportScheduleProcessor,
  ReportDeliveryProcessor,
  CrmWorkProcessor,
] as Type<JobProcessor>[];

/** Services whose sweeps restore missing jobs. */
export const sweeps: readonly Type<Sweep>[] = [
  WorkspaceDeletionService,
  MailboxCheckService,
  MailboxLeaseService,
  LeadImportJobService,
  MailIntakeService,
  ReplyLabelService,
  WebhookWorkPartitionService,
  WebhookReplayService,
  DomainHealthJobService,
  BlacklistTestJobService,
  EnrichmentWorkPartitionService,
  LeadVerificationJobService,
  WarmupSenderService,
  AgentTrainingJobService,
  AgentReplyJobService,
  ChatWorkPartitionService,
  ReportDeliveryService,
  CrmWorkPartitionService,
];
