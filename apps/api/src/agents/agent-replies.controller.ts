import { type WorkspaceScope } from '@domain/access';
import {
  AGENT_REPLY_EXAMPLES,
  AgentRepliesService,
  AgentReplyQuery,
  AgentReplyResponse,
  EditAgentReplyRequest,
  RejectAgentReplyRequest,
} from '@domain/agents';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

/** Registered before the controller of agents: `replies` is not the id of an agent. */
@Controller('agents/replies')
@ApiTags('Agents')
export class AgentRepliesController {
  constructor(private readonly replies: AgentRepliesService) {}

  @Get()
  @Summary('Lists the autonomous replies of agents with their states and reasons, latest first.')
  @Access('read')
  @Returns(200, AgentReplyResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: AgentReplyQuery): Promise<Page<AgentReplyResponse>> {
    return this.replies.list(workspace, query);
  }

  @Get(':agentReplyId')
  @Summary('Reads an autonomous reply of an agent.')
  @Access('read')
  @Returns(200, AgentReplyResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('agentReplyId') agentReplyId: string): Promise<AgentReplyResponse> {
    return this.replies.get(workspace, agentReplyId);
  }

  @Patch(':agentReplyId')
  @Summary('Changes the text of a reply that awaits approval.')
  @Example(EditAgentReplyRequest, AGENT_REPLY_EXAMPLES.edit)
  @Access('write')
  @Returns(200, AgentReplyResponse)
  edit(
    @Scope() workspace: WorkspaceScope,
    @Param('agentReplyId') agentReplyId: string,
    @Body() body: EditAgentReplyRequest,
  ): Promise<AgentReplyResponse> {
    return this.replies.edit(workspace, agentReplyId, body);
  }

  @Post(':agentReplyId/approve')
  @Summary('Approves a reply that awaits approval: it is sent within the agent’s hours and daily limit.')
  @Access('write')
  @Returns(200, AgentReplyResponse)
  approve(
    @Scope() workspace: WorkspaceScope,
    @Param('agentReplyId') agentReplyId: string,
  ): Promise<AgentReplyResponse> {
    return this.replies.approve(workspace, agentReplyId);
  }

  @Post(':agentReplyId/reject')
  @Summary('Rejects a reply that awaits approval: it is not sent.')
  @Example(RejectAgentReplyRequest, AGENT_REPLY_EXAMPLES.reject)
  @Access('write')
  @Returns(200, AgentReplyResponse)
  reject(
    @Scope() workspace: WorkspaceScope,
    @Param('agentReplyId') agentReplyId: string,
    @Body() body: RejectAgentReplyRequest,
  ): Promise<AgentReplyResponse> {
    return this.replies.reject(workspace, agentReplyId, body);
  }
}
