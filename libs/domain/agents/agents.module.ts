import { LlmModule } from '@adapters/llm';
import { WebModule } from '@adapters/web';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { WorkspacesModule } from '@domain/workspaces';
import { LeadsModule } from '@domain/leads';
import { SuppressionsModule } from '@domain/suppressions';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AgentUses } from './agent.uses';
import { Agents } from './agents.reads.service';
import { AgentModel } from './asking/agent.model.service';
import { AgentReplies } from './autonomy/agent.replies.service';
import { AgentReplyRuns } from './autonomy/agent.reply.runs.service';
import { AgentReplyQueue } from './autonomy/agent.reply.queue';
import { AgentReplyStore } from './autonomy/agent-reply.store.service';
import { ConversationMoves } from './autonomy/conversation.moves.service';
import { ReplyHandover } from './autonomy/reply.handover.service';
import { ReplyOutcomes } from './autonomy/reply.outcomes.service';
import { ReplyPlanning } from './autonomy/reply.planning.service';
import { ReplyStops } from './autonomy/reply.stops.service';
import { ReplyWithdrawal } from './autonomy/reply.withdrawal.service';
import { ReplyWriter } from './autonomy/reply.writer.service';
import { StandingFactsReader } from './autonomy/standing.facts.service';
import { AgentCreation } from './manage/agent.creation.service';
import { AgentDefaults } from './manage/agent.defaults.service';
import { AgentDeletion } from './manage/agent.deletion.service';
import { AgentErasure } from './manage/agent.erasure.service';
import { AgentUpdate } from './manage/agent.update.service';
import { AgentsService } from './manage/agents.service';
import { AgentRecord } from './schemas/agent.record';
import { AgentReplyRecord } from './schemas/agent-reply.record';
import { AgentSwitchRecord } from './schemas/agent-switch.record';
import { AgentTextRecord } from './schemas/agent-text.record';
import { AgentSwitch } from './switch/agent.switch.service';
import { AgentSwitches } from './switch/agent.switches';
import { AgentTexts } from './texts/agent.texts.service';
import { ConversationTraces } from './texts/conversation.traces.service';
import { AgentKnowledge } from './training/knowledge/agent.knowledge.service';
import { ProfileWriting } from './training/profile/profile.writing.service';
import { AgentPageRecord } from './training/schemas/agent-page.record';
import { AgentTrainingRecord } from './training/schemas/agent-training.record';
import { AgentTrainings } from './training/agent.trainings.service';
import { TrainingBeginning } from './training/training.beginning.service';
import { OpenTrainings } from './training/training.open.service';
import { AgentTrainingQueue } from './training/training.queue';
import { TrainingRuns } from './training/training.runs.service';
import { TrainingStates } from './training/training.states.service';
import { TrainingUse } from './training/training.use.service';
import { TrainingWork } from './training/training.work.service';
import { AgentDrafts } from './writing/agent.drafts.service';
import { AgentWriting } from './writing/agent.writing.service';

const offered = [
  AgentsService,
  AgentCreation,
  AgentUpdate,
  AgentDeletion,
  AgentErasure,
  AgentTexts,
  AgentSwitch,
  AgentTrainings,
  TrainingRuns,
  AgentDrafts,
  AgentReplies,
  AgentReplyRuns,
];

const training = [
  AgentKnowledge,
  AgentTrainingQueue,
  OpenTrainings,
  ProfileWriting,
  TrainingBeginning,
  TrainingStates,
  TrainingUse,
  TrainingWork,
];

const autonomy = [
  AgentWriting,
  AgentReplyStore,
  AgentReplyQueue,
  StandingFactsReader,
  ReplyPlanning,
  ReplyWithdrawal,
  ReplyStops,
  ConversationMoves,
  ReplyWriter,
  ReplyHandover,
  ReplyOutcomes,
];

@Module({
  imports: [
    DatabaseModule.collections(
      AgentTrainingRecord,
      AgentPageRecord,
      AgentRecord,
      AgentTextRecord,
      AgentSwitchRecord,
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
    ConversationTraces,
    Agents,
    AgentUses,
    AgentDefaults,
    AgentModel,
    AgentSwitches,
  ],
  exports: offered,
})
export class AgentsModule {}
