import { AgentReplyJobService, AgentTrainingJobService } from '@domain/agents';
import { ChatWorkPartitionService } from '@domain/chat';
import { CrmWorkPartitionService } from '@domain/crm';
import { BlacklistTestJobRecordService, DomainHealthJobService } from '@domain/deliverability';
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
  BlacklistTestJobRecordService,
  EnrichmentWorkPartitionService,
  LeadVerificationJobService,
  WarmupSenderService,
  AgentTrainingJobService,
  AgentReplyJobService,
  ChatWorkPartitionService,
  ReportDeliveryService,
  CrmWorkPartitionService,
];
