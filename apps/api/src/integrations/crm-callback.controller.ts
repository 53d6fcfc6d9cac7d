import { CrmOAuthService } from '@domain/crm';
import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { answerOAuth, Public } from '../http';

/** Where the vendors of CRMs send people back to: outside /v1, without a key or the envelope; the state says who it is. */
@Controller({ path: 'oauth/crm', version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public()
export class CrmCallbackController {
  constructor(private readonly callbacks: CrmOAuthService) {}

  // The query is not checked by a class: vendors add parameters of their own as they like.
  @Get(':type/callback')
  @ApiOkResponse({ description: 'A page for a person.', content: { 'text/html': {} } })
  async callback(@Param('type') type: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerOAuth(response, await this.callbacks.handleCallback(type, request.query), 'The CRM');
  }
}
