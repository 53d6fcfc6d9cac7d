import { LlmModule } from '@adapters/llm';
import { WebModule } from '@adapters/web';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { InboxModule } from '@domain/inbox';
import { LeadsModule } from '@domain/leads';
import { SuppressionsModule } from '@domain/suppressions';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AgentRepository } from './agent.repository';
import { AgentsService } from './agents.service';
import { AgentConversationListener } from './autonomy/agent-conversation.listener';
import { AgentRepliesService } from './autonomy/agent-replies.service';
import { AgentReplyEligibilityService } from './autonomy/agent-reply-eligibility.service';
import { AgentReplyJobService } from './autonomy/agent-reply-job.service';
import { AgentReplyPlanningService } from './autonomy/agent-reply-planning.service';
import { AgentReplyStopListener } from './autonomy/agent-reply-stop.listener';
import { AgentReplyWriterService } from './autonomy/agent-reply-writer.service';
import { AgentReplyQueue } from './autonomy/agent-reply.queue';
import { AgentReplyRepository } from './autonomy/agent-reply.repository';
import { AgentDraftService } from './drafting/agent-draft.service';
import { AgentKillSwitchService } from './kill-switch/agent-kill-switch.service';
import { AgentModelService } from './model/agent-model.service';
import { AgentKillSwitchRecord } from './schemas/agent-kill-switch.record';
import { AgentReplyRecord } from './schemas/agent-reply.record';
import { AgentTextRecord } from './schemas/agent-text.record';
import { AgentRecord } from './schemas/agent.record';
import { AgentTextsService } from './texts/agent-texts.service';
import { AgentTrainingJobService } from './training/agent-training-job.service';
import { AgentTrainingListener } from './training/agent-training.listener';
import { AgentTrainingQueue } from './training/agent-training.queue';
import { AgentTrainingRepository } from './training/agent-training.repository';
import { AgentTrainingsService } from './training/agent-trainings.service';
import { AgentPageRecord } from './training/schemas/agent-page.record';
import { AgentTrainingRecord } from './training/schemas/agent-training.record';

const offered = [
  AgentsService,
  AgentTextsService,
  AgentKillSwitchService,
  AgentTrainingsService,
  AgentTrainingJobService,
  AgentDraftService,
  AgentRepliesService,
  AgentReplyJobService,
];

const training = [
  AgentTrainingRepository,
  AgentTrainingQueue,
  AgentTrainingJobService,
  AgentTrainingsService,
  AgentTrainingListener,
];

const autonomy = [
  AgentDraftService,
  AgentReplyRepository,
  AgentReplyQueue,
  AgentReplyEligibilityService,
  AgentReplyPlanningService,
  AgentRepliesService,
  AgentReplyStopListener,
  AgentConversationListener,
  AgentReplyWriterService,
  AgentReplyJobService,
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
  providers: [...offered, ...training, ...autonomy, AgentConversationListener, AgentRepository, AgentModelService],
  exports: offered,
})
export class AgentsModule {}
