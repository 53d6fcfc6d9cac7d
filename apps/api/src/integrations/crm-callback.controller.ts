import { CrmOAuthService } from '@domain/crm';
import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { answerOAuth, Public } from '../http';

/** OAuth callback of the CRMs: outside /v1, without API key or envelope; the state identifies the consent. */
@Controller({ path: 'oauth/crm', version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public()
export class CrmCallbackController {
  constructor(private readonly callbacks: CrmOAuthService) {}

  // No validation class: vendors add parameters of their own.
  @Get(':type/callback')
  @ApiOkResponse({ description: 'A page for a person.', content: { 'text/html': {} } })
  async callback(@Param('type') type: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerOAuth(response, await this.callbacks.handleCallback(type, request.query), 'The CRM');
  }
}
