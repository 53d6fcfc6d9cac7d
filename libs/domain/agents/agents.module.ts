import { LlmModule } from '@adapters/llm';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
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

const offered = [AgentsService, AgentCreation, AgentUpdate, AgentDeletion, AgentErasure, AgentTexts, AgentSwitch];

@Module({
  imports: [
    DatabaseModule.collections(AgentRecord, AgentTextRecord, AgentSwitchRecord),
    LlmModule,
    AuditModule,
    CreditsModule,
    InboxModule,
    WorkspacesModule,
  ],
  providers: [...offered, Agents, AgentUses, AgentDefaults, AgentModel, AgentSwitches],
  exports: offered,
})
export class AgentsModule {}
