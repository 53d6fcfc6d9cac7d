import { type WorkspaceScope } from '@domain/access';
import { InboxRepliesService, CreateReplyRequest, REPLY_EXAMPLES, ReplyResponse } from '@domain/inbox';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('inbox/:conversationId')
@ApiTags('Inbox')
export class RepliesController {
  constructor(private readonly replies: InboxRepliesService) {}

  @Post('reply')
  @Summary('Answers in a conversation: sent by the mailbox’s next turn, before its campaigns, within the same limits.')
  @Example(CreateReplyRequest, REPLY_EXAMPLES.create)
  @Access('write')
  @Returns(202, ReplyResponse)
  create(
    @Scope() workspace: WorkspaceScope,
    @Param('conversationId') conversationId: string,
    @Body() body: CreateReplyRequest,
  ): Promise<ReplyResponse> {
    return this.replies.create(workspace, conversationId, body);
  }

  @Get('replies/:replyId')
  @Summary('Reads a reply: whether it is sent, and if not, why.')
  @Access('read')
  @Returns(200, ReplyResponse)
  get(
    @Scope() workspace: WorkspaceScope,
    @Param('conversationId') conversationId: string,
    @Param('replyId') replyId: string,
  ): Promise<ReplyResponse> {
    return this.replies.get(workspace, conversationId, replyId);
  }

  @Delete('replies/:replyId')
  @Summary('Cancels a reply that still waits.')
  @Access('write')
  @Returns(200, ReplyResponse)
  cancel(
    @Scope() workspace: WorkspaceScope,
    @Param('conversationId') conversationId: string,
    @Param('replyId') replyId: string,
  ): Promise<ReplyResponse> {
    return this.replies.cancel(workspace, conversationId, replyId);
  }
}
