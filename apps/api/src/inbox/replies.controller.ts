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
  @Summary('Replies in a conversation: its mailbox sends the reply before campaign emails, within the same limits.')
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
  @Summary('Reads a reply with its send state and the reason if it is not sent.')
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
  @Summary('Cancels a waiting reply.')
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
