export { AgentsModule } from './agents.module';
export { AgentReplies } from './autonomy/agent.replies.service';
export { AgentReplyRuns } from './autonomy/agent.reply.runs.service';
export { type GoOnWithReply } from './autonomy/agent.reply.queue';
export { AgentDraftResponse, DraftReplyRequest } from './dto/agent-draft.dto';
export {
  AGENT_REPLY_EXAMPLES,
  AgentReplyQuery,
  AgentReplyResponse,
  EditAgentReplyRequest,
  RejectAgentReplyRequest,
} from './dto/agent-reply.dto';
export { AgentDetailsResponse, AgentResponse } from './dto/agent.dto';
export { AGENT_EXAMPLES } from './dto/agent.examples';
export { AgentQuery, CreateAgentRequest, UpdateAgentRequest } from './dto/agent.requests';
export { AgentTextResponse } from './dto/agent-text.dto';
export { AgentSwitchResponse, TurnAgentSwitchRequest } from './dto/agent-switch.dto';
export { AgentCreation } from './manage/agent.creation.service';
export { AgentDeletion } from './manage/agent.deletion.service';
export { AgentErasure } from './manage/agent.erasure.service';
export { AgentUpdate } from './manage/agent.update.service';
export { AgentsService } from './manage/agents.service';
export { AgentSwitch } from './switch/agent.switch.service';
export { AgentTexts } from './texts/agent.texts.service';
export { AgentTrainings } from './training/agent.trainings.service';
export {
  AgentPageResponse,
  AgentTrainingResponse,
  TRAINING_EXAMPLES,
  TrainAgentRequest,
} from './training/dto/training.dto';
export { type RunAgentTraining } from './training/training.queue';
export { TrainingRuns } from './training/training.runs.service';
export { AgentDrafts } from './writing/agent.drafts.service';
