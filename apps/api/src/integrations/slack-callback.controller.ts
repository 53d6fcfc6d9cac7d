import { ChatOAuthService } from '@domain/chat';
import { Controller, Get, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { answerOAuth, Public } from '../http';

/** OAuth callback of Slack: outside /v1, without API key or envelope; the state identifies the consent. */
@Controller({ path: 'oauth/chat/slack', version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public()
export class SlackCallbackController {
  constructor(private readonly callbacks: ChatOAuthService) {}

  // No validation class: vendors add parameters of their own.
  @Get('callback')
  @ApiOkResponse({ description: 'A page for a person.', content: { 'text/html': {} } })
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    answerOAuth(response, await this.callbacks.handleCallback(request.query), 'Slack');
  }
}
