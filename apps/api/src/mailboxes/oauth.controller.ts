import { type WorkspaceScope } from '@domain/access';
import {
  ConnectServiceAccountRequest,
  MAILBOX_EXAMPLES,
  MailboxResponse,
  OAuthSessionResponse,
  MailboxOAuthService,
  OAuthStartResponse,
  StartOAuthRequest,
} from '@domain/mailboxes';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('mailboxes')
@ApiTags('Mailboxes')
export class OAuthController {
  constructor(private readonly oauth: MailboxOAuthService) {}

  @Post('oauth/:provider')
  @Summary('Starts the OAuth consent for a Google or Microsoft mailbox and returns the consent address.')
  @Example(StartOAuthRequest, MAILBOX_EXAMPLES.startOAuth)
  @Access('write')
  @Returns(201, OAuthStartResponse)
  start(
    @Scope() workspace: WorkspaceScope,
    @Param('provider') provider: string,
    @Body() body: StartOAuthRequest,
  ): Promise<OAuthStartResponse> {
    return this.oauth.start(workspace, provider, body);
  }

  @Get('oauth/sessions/:sessionId')
  @Summary('Reads the state of a consent; kept for a day.')
  @Access('read')
  @Returns(200, OAuthSessionResponse)
  session(@Scope() workspace: WorkspaceScope, @Param('sessionId') sessionId: string): Promise<OAuthSessionResponse> {
    return this.oauth.session(workspace, sessionId);
  }

  @Post('service-account')
  @Summary('Connects a mailbox of a Google Workspace domain through a service account; its login is verified first.')
  @Example(ConnectServiceAccountRequest, MAILBOX_EXAMPLES.connectServiceAccount)
  @Access('write')
  @Returns(201, MailboxResponse)
  connectServiceAccount(
    @Scope() workspace: WorkspaceScope,
    @Body() body: ConnectServiceAccountRequest,
  ): Promise<MailboxResponse> {
    return this.oauth.connectServiceAccount(workspace, body);
  }
}
