import { type WorkspaceScope } from '@domain/access';
import {
  ChatChannelsService,
  ChatMessagesService,
  ChatSettingsService,
  ChatCheckService,
  SetSlackRequest,
  SLACK_EXAMPLES,
  SlackChannelsQuery,
  SlackChannelsResponse,
  SlackMessageResponse,
  SlackMessagesQuery,
  SlackResponse,
  SlackTestResponse,
} from '@domain/chat';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('integrations/slack')
@ApiTags('Integrations')
export class SlackController {
  constructor(
    private readonly settings: ChatSettingsService,
    private readonly channelList: ChatChannelsService,
    private readonly tests: ChatCheckService,
    private readonly sent: ChatMessagesService,
  ) {}

  @Get()
  @Summary('Returns the Slack connection and its settings, without secrets.')
  @Access('read')
  @Returns(200, SlackResponse)
  get(@Scope() workspace: WorkspaceScope): Promise<SlackResponse> {
    return this.settings.get(workspace);
  }

  @Put()
  @Summary('Sets the Slack notifications: the events, and an incoming webhook or, after a consent, a channel.')
  @Example(SetSlackRequest, SLACK_EXAMPLES.set)
  @Access('admin')
  @Returns(200, SlackResponse)
  set(@Scope() workspace: WorkspaceScope, @Body() body: SetSlackRequest): Promise<SlackResponse> {
    return this.settings.set(workspace, body);
  }

  @Delete()
  @Summary('Removes the Slack connection with its secret and message log; its token is revoked.')
  @Access('admin')
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope): Promise<MessageResponse> {
    return this.settings.remove(workspace);
  }

  @Get('channels')
  @Summary('Lists the selectable channels after a consent.')
  @Access('admin')
  @Returns(200, SlackChannelsResponse)
  channels(@Scope() workspace: WorkspaceScope, @Query() query: SlackChannelsQuery): Promise<SlackChannelsResponse> {
    return this.channelList.list(workspace, query);
  }

  @Post('test')
  @Summary('Posts a test message; on success a disconnected chat is reconnected.')
  @Access('admin')
  @Returns(200, SlackTestResponse)
  test(@Scope() workspace: WorkspaceScope): Promise<SlackTestResponse> {
    return this.tests.test(workspace);
  }

  @Get('messages')
  @Summary('Lists the Slack messages of the last 30 days with their state, newest first.')
  @Access('read')
  @Returns(200, SlackMessageResponse, 'page')
  messages(
    @Scope() workspace: WorkspaceScope,
    @Query() query: SlackMessagesQuery,
  ): Promise<Page<SlackMessageResponse>> {
    return this.sent.list(workspace, query);
  }
}
