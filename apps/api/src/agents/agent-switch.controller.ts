import { type WorkspaceScope } from '@domain/access';
import { AGENT_EXAMPLES, AgentKillSwitchService, AgentSwitchResponse, TurnAgentSwitchRequest } from '@domain/agents';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

/** Registered before the controller of agents: `switch` is not the id of an agent. */
@Controller('agents/switch')
@ApiTags('Agents')
export class AgentSwitchController {
  constructor(private readonly agentSwitch: AgentKillSwitchService) {}

  @Get()
  @Summary('Reads whether all agents of the workspace are switched off.')
  @Access('read')
  @Returns(200, AgentSwitchResponse)
  read(@Scope() workspace: WorkspaceScope): Promise<AgentSwitchResponse> {
    return this.agentSwitch.read(workspace);
  }

  @Put()
  @Summary('Switches all agents of the workspace off immediately, or on again.')
  @Example(TurnAgentSwitchRequest, AGENT_EXAMPLES.turn)
  @Access('write')
  @Returns(200, AgentSwitchResponse)
  turn(@Scope() workspace: WorkspaceScope, @Body() body: TurnAgentSwitchRequest): Promise<AgentSwitchResponse> {
    return this.agentSwitch.set(workspace, body);
  }
}
