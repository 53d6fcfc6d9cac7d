import { LlmModule } from '@adapters/llm';
import { WebModule } from '@adapters/web';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AgentUses } from './agent.uses';
import { Agents } from './agents.reads.service';
import { AgentModel } from './asking/agent.model.service';
import { AgentCreation } from './manage/agent.creation.service';
import { AgentDefaults } from './manage/agent.defaults.service';
import { AgentDeletion } from './manage/agent.deletion.service';
import { AgentErasure } from './manage/agent.erasure.service';
import { AgentUpdate } from './manage/agent.update.service';
import { AgentsService } from './manage/agents.service';
import { AgentRecord } from './schemas/agent.record';
import { AgentSwitchRecord } from './schemas/agent-switch.record';
import { AgentTextRecord } from './schemas/agent-text.record';
import { AgentSwitch } from './switch/agent.switch.service';
import { AgentSwitches } from './switch/agent.switches';
import { AgentTexts } from './texts/agent.texts.service';
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

@Module({
  imports: [
    DatabaseModule.collections(AgentTrainingRecord, AgentPageRecord, AgentRecord, AgentTextRecord, AgentSwitchRecord),
    LlmModule,
    WebModule,
    AuditModule,
    CreditsModule,
    EventsModule,
    InboxModule,
    WorkspacesModule,
  ],
  providers: [...offered, ...training, Agents, AgentUses, AgentDefaults, AgentModel, AgentSwitches],
  exports: offered,
})
export class AgentsModule {}
