import { type WorkspaceScope } from '@domain/access';
import {
  ConversationDetailResponse,
  ConversationQuery,
  ConversationResponse,
  ConversationUpdateService,
  ConversationsService,
  INBOX_EXAMPLES,
  InboxQuery,
  UpdateConversationRequest,
} from '@domain/inbox';
import { Body, Controller, Get, Param, Patch, Query, type StreamableFile } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, ReturnsFile, Scope, Summary, getFile } from '../http';

@Controller('inbox')
@ApiTags('Inbox')
export class InboxController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly updates: ConversationUpdateService,
  ) {}

  @Get()
  @Summary('Lists conversations, newest message first; `search` matches subject, name and address.')
  @Access('read')
  @Returns(200, ConversationResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: InboxQuery): Promise<Page<ConversationResponse>> {
    return this.conversations.list(workspace, query);
  }

  @Get(':conversationId')
  @Summary('Reads a conversation with its messages and campaign emails, oldest first.')
  @Access('read')
  @Returns(200, ConversationDetailResponse)
  get(
    @Scope() workspace: WorkspaceScope,
    @Param('conversationId') conversationId: string,
    @Query() query: ConversationQuery,
  ): Promise<ConversationDetailResponse> {
    return this.conversations.get(workspace, conversationId, query);
  }

  @Patch(':conversationId')
  @Summary('Marks a conversation as read or unread, labels it, or attaches an untracked one to a lead.')
  @Example(UpdateConversationRequest, INBOX_EXAMPLES.update)
  @Access('write')
  @Returns(200, ConversationResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('conversationId') conversationId: string,
    @Body() body: UpdateConversationRequest,
  ): Promise<ConversationResponse> {
    return this.updates.update(workspace, conversationId, body);
  }

  @Get(':conversationId/attachments/:attachmentIndex')
  @Summary('Streams an attachment from the mail provider; it is not stored.')
  @ApiParam({ name: 'attachmentIndex', schema: { type: 'integer', minimum: 0 } })
  @Access('read')
  @ReturnsFile(['*/*'], 'The file, with its own Content-Type and its name in Content-Disposition.')
  async attachment(
    @Scope() workspace: WorkspaceScope,
    @Param('conversationId') conversationId: string,
    @Param('attachmentIndex') attachmentIndex: string,
  ): Promise<StreamableFile> {
    const { content, contentType, name } = await this.conversations.openAttachment(
      workspace,
      conversationId,
      attachmentIndex,
    );
    return getFile(content, contentType, name);
  }
}
