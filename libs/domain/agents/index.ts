export { AgentsModule } from './agents.module';
export { AgentSwitchResponse, TurnAgentSwitchRequest } from './dto/agent-switch.dto';
export { AgentSwitch } from './switch/agent.switch.service';
