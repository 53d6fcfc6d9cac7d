export { AgentsModule } from './agents.module';
export { AgentRepliesService } from './autonomy/agent-replies.service';
export { AgentReplyJobService } from './autonomy/agent-reply-job.service';
export { type GoOnWithReply } from './autonomy/agent-reply.queue';
export { AgentDraftResponse, DraftReplyRequest } from './dto/agent-draft.dto';
export {
  AGENT_REPLY_EXAMPLES,
  AgentReplyQuery,
  AgentReplyResponse,
  EditAgentReplyRequest,
  RejectAgentReplyRequest,
} from './dto/agent-reply.dto';
export { AgentDetailsResponse, AgentResponse } from './dto/agent.dto';
export { AGENT_EXAMPLES } from './dto/agent-examples';
export { AgentQuery, CreateAgentRequest, UpdateAgentRequest } from './dto/agent-requests.dto';
export { AgentTextResponse } from './dto/agent-text.dto';
export { AgentSwitchResponse, TurnAgentSwitchRequest } from './dto/agent-switch.dto';
export { AgentsService } from './agents.service';
export { AgentKillSwitchService } from './kill-switch/agent-kill-switch.service';
export { AgentTextsService } from './texts/agent-texts.service';
export { AgentTrainingsService } from './training/agent-trainings.service';
export {
  AgentPageResponse,
  AgentTrainingResponse,
  TRAINING_EXAMPLES,
  TrainAgentRequest,
} from './training/dto/training.dto';
export { type RunAgentTraining } from './training/agent-training.queue';
export { AgentTrainingJobService } from './training/agent-training-job.service';
export { AgentDraftService } from './drafting/agent-draft.service';
export { AGENTS_PERSONAL_DATA } from './agent-personal-data';
