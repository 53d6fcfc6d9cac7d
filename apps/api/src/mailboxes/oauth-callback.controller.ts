import { MailboxOAuthService } from '@domain/mailboxes';
import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { answerOAuth, Public } from '../http';

/** Where the vendors send people back to: outside /v1, without a key or the envelope; the state says who it is. */
@Controller({ path: 'oauth', version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public()
export class OAuthCallbackController {
  constructor(private readonly oauth: MailboxOAuthService) {}

  // The query is not checked by a class: vendors add parameters of their own as they like.
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
