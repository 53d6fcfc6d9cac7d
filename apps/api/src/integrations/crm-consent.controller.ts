import { type WorkspaceScope } from '@domain/access';
import {
  CRM_CONNECTION_EXAMPLES,
  CrmCheckService,
  CrmOAuthService,
  CrmTestResponse,
  StartCrmOAuthRequest,
} from '@domain/crm';
import { IntegrationOAuthSessionResponse, IntegrationOAuthStartResponse } from '@domain/oauth';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('integrations/crm')
@ApiTags('Integrations')
export class CrmConsentController {
  constructor(
    private readonly consents: CrmOAuthService,
    private readonly checks: CrmCheckService,
  ) {}

  @Get('oauth-sessions/:sessionId')
  @Summary('Returns the outcome of a CRM consent; available for a day.')
  @Access('read')
  @Returns(200, IntegrationOAuthSessionResponse)
  session(
    @Scope() workspace: WorkspaceScope,
    @Param('sessionId') sessionId: string,
  ): Promise<IntegrationOAuthSessionResponse> {
    return this.consents.session(workspace, sessionId);
  }

  @Post(':type/oauth')
  @Summary('Starts the OAuth consent of a CRM and returns the consent address.')
  @Example(StartCrmOAuthRequest, CRM_CONNECTION_EXAMPLES.startOAuth)
  @Access('admin')
  @Returns(201, IntegrationOAuthStartResponse)
  start(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Body() body: StartCrmOAuthRequest,
  ): Promise<IntegrationOAuthStartResponse> {
    return this.consents.start(workspace, type, body);
  }

  @Post(':type/test')
  @Summary('Tests the credentials of a CRM connection; a disconnected one is reconnected on success.')
  @Access('admin')
  @Returns(200, CrmTestResponse)
  test(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmTestResponse> {
    return this.checks.test(workspace, type);
  }
}
