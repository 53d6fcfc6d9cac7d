import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { TrackingModule } from '@domain/tracking';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';

import { CampaignDiagnosticsService } from './explain/campaign-diagnostics.service';

import { LeadExplanationService } from './explain/lead-explanation.service';
import { EligibilityEvaluatorService } from './explain/eligibility-evaluator.service';
import { CampaignLaunchService } from './launch/campaign-launch.service';

import { LeadSampleRepository } from './launch/lead-sample.repository';
import { SendBudgetRepository } from './quota/send-budget.repository';
import { SendQuotaRepository } from './quota/send-quota.repository';
import { CampaignCountersRebuildService } from './recount/campaign-counters-rebuild.service';

import { SendResolverService } from './pipeline/send-resolver.service';
import { DirectMailService } from './direct/direct-mail.service';
import { MailboxTestService } from './direct/mailbox-test.service';
import { SendQuotaRecord } from './schemas/send-quota.record';
import { SimulationFactsService } from './simulate/simulation-facts.service';

import { CampaignSimulationService } from './simulate/campaign-simulation.service';
import { CampaignTestEmailService } from './test-email/campaign-test-email.service';

import { SendClaimService } from './pipeline/send-claim.service';
import { DeletedMailboxListener } from './pipeline/deleted-mailbox.listener';
import { PlannerDataSourceService } from './pipeline/planner-data-source.service';
import { SendBatchService } from './pipeline/batching/send-batch.service';

import { MailboxReadBatchService } from './pipeline/batching/mailbox-read-batch.service';

import { DueLeadCacheService } from './pipeline/due-lead-cache.service';
import { MessageHandoverService } from './pipeline/message-handover.service';
import { CampaignMailSourceService } from './pipeline/campaign-mail-source.service';
import { MailAttemptService } from './pipeline/mail-attempt.service';
import { ReplyMailSourceService } from './pipeline/replies/reply-mail-source.service';
import { SendOutcomeService } from './pipeline/send-outcome.service';
import { SendRecoveryService } from './pipeline/send-recovery.service';

import { PostponedLeadsService } from './pipeline/postponed-leads.service';
import { SentEmailService } from './pipeline/sent-email.service';
import { MailboxSenderService } from './pipeline/mailbox-sender.service';

import { SendGuardService } from './pipeline/send-guard.service';

const offered = [
  DirectMailService,
  MailboxTestService,
  CampaignLaunchService,
  CampaignSimulationService,
  LeadExplanationService,
  CampaignDiagnosticsService,
  CampaignTestEmailService,
  MailboxSenderService,
  SendResolverService,
  CampaignCountersRebuildService,
];

@Module({
  imports: [
    DatabaseModule.collections(SendQuotaRecord),
    EventsModule,
    MailboxesModule,
    SuppressionsModule,
    SendsModule,
    CampaignsModule,
    LeadsModule,
    TrackingModule,
    InboxModule,
  ],
  providers: [
    ...offered,
    MailboxSenderService,
    SendRecoveryService,
    PlannerDataSourceService,
    SendClaimService,
    MessageHandoverService,
    MailAttemptService,
    ReplyMailSourceService,
    CampaignMailSourceService,
    SendGuardService,
    SendBatchService,
    MailboxReadBatchService,
    DueLeadCacheService,
    PostponedLeadsService,
    SendOutcomeService,
    SentEmailService,
    DeletedMailboxListener,
    SendQuotaRepository,
    SendBudgetRepository,
    CampaignCountersRebuildService,
    CampaignLaunchService,
    SimulationFactsService,
    EligibilityEvaluatorService,
    CampaignDiagnosticsService,
    LeadSampleRepository,
    CampaignTestEmailService,
  ],
  exports: offered,
})
export class SendingModule {}
