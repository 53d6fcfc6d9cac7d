import { type WorkspaceScope } from '@domain/access';
import {
  AGENT_EXAMPLES,
  AgentDetailsResponse,
  AgentQuery,
  AgentResponse,
  AgentsService,
  AgentTextResponse,
  AgentTextsService,
  CreateAgentRequest,
  UpdateAgentRequest,
} from '@domain/agents';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('agents')
@ApiTags('Agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly texts: AgentTextsService,
  ) {}

  @Post()
  @Summary('Creates an AI agent for 10 credits, including its initial training.')
  @Example(CreateAgentRequest, AGENT_EXAMPLES.create)
  @Access('write')
  @Returns(201, AgentResponse)
  create(@Scope() workspace: WorkspaceScope, @Body() body: CreateAgentRequest): Promise<AgentResponse> {
    return this.agents.create(workspace, body);
  }

  @Get()
  @Summary('Lists agents, newest first.')
  @Access('read')
  @Returns(200, AgentResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: AgentQuery): Promise<Page<AgentResponse>> {
    return this.agents.list(workspace, query);
  }

  @Get(':agentId')
  @Summary('Reads an agent.')
  @Access('read')
  @Returns(200, AgentResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('agentId') agentId: string): Promise<AgentResponse> {
    return this.agents.get(workspace, agentId);
  }

  @Get(':agentId/details')
  @Summary('Reads the details of an agent, with its autonomy.')
  @Access('read')
  @Returns(200, AgentDetailsResponse)
  details(@Scope() workspace: WorkspaceScope, @Param('agentId') agentId: string): Promise<AgentDetailsResponse> {
    return this.agents.details(workspace, agentId);
  }

  @Patch(':agentId')
  @Summary('Changes an agent, activates or deactivates it, or makes it the default.')
  @Example(UpdateAgentRequest, AGENT_EXAMPLES.update)
  @Access('write')
  @Returns(200, AgentResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('agentId') agentId: string,
    @Body() body: UpdateAgentRequest,
  ): Promise<AgentResponse> {
    return this.agents.update(workspace, agentId, body);
  }

  @Delete(':agentId')
  @Summary('Deletes an agent with its knowledge and texts; withdraws its planned replies.')
  @Access('write')
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('agentId') agentId: string): Promise<MessageResponse> {
    return this.agents.delete(workspace, agentId);
  }

  @Get(':agentId/texts')
  @Summary('Lists the texts that language models wrote for an agent, with their cost, newest first.')
  @Access('read')
  @Returns(200, AgentTextResponse, 'page')
  written(
    @Scope() workspace: WorkspaceScope,
    @Param('agentId') agentId: string,
    @Query() query: PageQuery,
  ): Promise<Page<AgentTextResponse>> {
    return this.texts.list(workspace, agentId, query);
  }
}
