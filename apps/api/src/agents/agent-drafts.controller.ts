import { type WorkspaceScope } from '@domain/access';
import { AGENT_REPLY_EXAMPLES, AgentDraftResponse, AgentDraftService, DraftReplyRequest } from '@domain/agents';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('agents/:agentId')
@ApiTags('Agents')
export class AgentDraftsController {
  constructor(private readonly drafts: AgentDraftService) {}

  @Post('draft')
  @Summary('Writes a reply for a conversation. Nothing is sent.')
  @Example(DraftReplyRequest, AGENT_REPLY_EXAMPLES.draft)
  @Access('write')
  @Returns(201, AgentDraftResponse)
  draft(
    @Scope() workspace: WorkspaceScope,
    @Param('agentId') agentId: string,
    @Body() body: DraftReplyRequest,
  ): Promise<AgentDraftResponse> {
    return this.drafts.draft(workspace, agentId, body);
  }
}
