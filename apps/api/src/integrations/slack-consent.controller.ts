import { type WorkspaceScope } from '@domain/access';
import { ChatOAuthService } from '@domain/chat';
import {
  IntegrationOAuthSessionResponse,
  IntegrationOAuthStartResponse,
  StartIntegrationOAuthRequest,
} from '@domain/oauth';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('integrations/slack')
@ApiTags('Integrations')
export class SlackConsentController {
  constructor(private readonly consents: ChatOAuthService) {}

  @Post('oauth')
  @Summary('Starts the OAuth consent of Slack and returns the consent address.')
  @Access('admin')
  @Returns(201, IntegrationOAuthStartResponse)
  start(
    @Scope() workspace: WorkspaceScope,
    @Body() body: StartIntegrationOAuthRequest,
  ): Promise<IntegrationOAuthStartResponse> {
    return this.consents.start(workspace, body);
  }

  @Get('oauth-sessions/:sessionId')
  @Summary('Returns the outcome of a Slack consent; available for a day.')
  @Access('read')
  @Returns(200, IntegrationOAuthSessionResponse)
  session(
    @Scope() workspace: WorkspaceScope,
    @Param('sessionId') sessionId: string,
  ): Promise<IntegrationOAuthSessionResponse> {
    return this.consents.session(workspace, sessionId);
  }
}
