import { LlmModule } from '@adapters/llm';
import { WebModule } from '@adapters/web';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { WorkspacesModule } from '@domain/identity';
import { LeadsModule } from '@domain/leads';
import { SuppressionsModule } from '@domain/suppressions';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AgentHookRegistry } from './agent-hook.registry';
import { AgentRepository } from './agent.repository';
import { AgentModelService } from './model/agent-model.service';
import { AgentRepliesService } from './autonomy/agent-replies.service';
import { AgentReplyJobService } from './autonomy/agent-reply-job.service';
import { AgentReplyQueue } from './autonomy/agent-reply.queue';
import { AgentReplyRepository } from './autonomy/agent-reply.repository';
import { AgentConversationListener } from './autonomy/agent-conversation.listener';
import { ReplyHandoverService } from './autonomy/reply-handover.service';
import { ReplyOutcomesService } from './autonomy/reply-outcomes.service';
import { AgentReplyPlanningService } from './autonomy/agent-reply-planning.service';
import { AgentReplyStopListener } from './autonomy/agent-reply-stop.listener';
import { ReplyWithdrawalService } from './autonomy/reply-withdrawal.service';
import { AgentReplyWriterService } from './autonomy/agent-reply-writer.service';
import { AgentReplyEligibilityService } from './autonomy/agent-reply-eligibility.service';
import { AgentCreationService } from './agent-creation.service';
import { AgentDefaultsRepository } from './agent-defaults.repository';
import { AgentDeletionService } from './agent-deletion.service';
import { AgentErasureRepository } from './agent-erasure.repository';
import { AgentUpdateService } from './agent-update.service';
import { AgentsService } from './agents.service';
import { AgentRecord } from './schemas/agent.record';
import { AgentReplyRecord } from './schemas/agent-reply.record';
import { AgentKillSwitchRecord } from './schemas/agent-kill-switch.record';
import { AgentTextRecord } from './schemas/agent-text.record';
import { AgentKillSwitchService } from './kill-switch/agent-kill-switch.service';
import { AgentKillSwitchRegistry } from './kill-switch/agent-kill-switch.registry';
import { AgentTextsService } from './texts/agent-texts.service';
import { ConversationTracesListener } from './autonomy/conversation-traces.listener';
import { AgentKnowledgeRepository } from './training/agent-knowledge.repository';
import { CompanyProfileService } from './training/profile/company-profile.service';
import { AgentPageRecord } from './training/schemas/agent-page.record';
import { AgentTrainingRecord } from './training/schemas/agent-training.record';
import { AgentTrainingsService } from './training/agent-trainings.service';
import { TrainingBeginningService } from './training/training-beginning.service';
import { OpenTrainingsRepository } from './training/open-trainings.repository';
import { AgentTrainingQueue } from './training/agent-training.queue';
import { AgentTrainingJobService } from './training/agent-training-job.service';
import { AgentTrainingRepository } from './training/agent-training.repository';
import { AgentTrainingListener } from './training/agent-training.listener';
import { TrainingWorkService } from './training/training-work.service';
import { AgentDraftService } from './drafting/agent-draft.service';
import { AgentWritingService } from './drafting/agent-writing.service';

const offered = [
  AgentsService,
  AgentCreationService,
  AgentUpdateService,
  AgentDeletionService,
  AgentErasureRepository,
  AgentTextsService,
  AgentKillSwitchService,
  AgentTrainingsService,
  AgentTrainingJobService,
  AgentDraftService,
  AgentRepliesService,
  AgentReplyJobService,
];

const training = [
  AgentKnowledgeRepository,
  AgentTrainingQueue,
  OpenTrainingsRepository,
  CompanyProfileService,
  TrainingBeginningService,
  AgentTrainingRepository,
  AgentTrainingListener,
  TrainingWorkService,
];

const autonomy = [
  AgentWritingService,
  AgentReplyRepository,
  AgentReplyQueue,
  AgentReplyEligibilityService,
  AgentReplyPlanningService,
  ReplyWithdrawalService,
  AgentReplyStopListener,
  AgentConversationListener,
  AgentReplyWriterService,
  ReplyHandoverService,
  ReplyOutcomesService,
];

@Module({
  imports: [
    DatabaseModule.collections(
      AgentTrainingRecord,
      AgentPageRecord,
      AgentRecord,
      AgentTextRecord,
      AgentKillSwitchRecord,
      AgentReplyRecord,
    ),
    LlmModule,
    WebModule,
    AuditModule,
    CreditsModule,
    EventsModule,
    InboxModule,
    LeadsModule,
    SuppressionsModule,
    WorkspacesModule,
  ],
  providers: [
    ...offered,
    ...training,
    ...autonomy,
    ConversationTracesListener,
    AgentRepository,
    AgentHookRegistry,
    AgentDefaultsRepository,
    AgentModelService,
    AgentKillSwitchRegistry,
  ],
  exports: offered,
})
export class AgentsModule {}
