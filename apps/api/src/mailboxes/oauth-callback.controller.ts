import { MailboxOAuthService } from '@domain/mailboxes';
import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { answerOAuth, Public } from '../http';

/** The redirect target of the vendors: outside /v1, without API key and envelope; the state identifies the user. */
@Controller({ path: 'oauth', version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public()
export class OAuthCallbackController {
  constructor(private readonly oauth: MailboxOAuthService) {}

  // No validation class: vendors add their own parameters.
  @Get(':provider/callback')
  @ApiOkResponse({ description: 'A page for a person.', content: { 'text/html': {} } })
  async callback(
    @Param('provider') provider: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    answerOAuth(response, await this.oauth.handleCallback(provider, request.query), 'The mailbox');
  }
}
