import { UnsubscribeService } from '@domain/tracking';
import { Controller, Get, Param, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Page } from '../http';
import { PageErrorFilter } from './page-error.filter';
import { answerQuestion, answerUnsubscribed } from './tracking-responses';
import { getWay } from './unsubscribe-body';

/** The unsubscribe page, and the POST of its button and of mail clients (RFC 8058). */
@Controller({ path: 'u', version: VERSION_NEUTRAL })
@Page()
@UseFilters(PageErrorFilter)
export class UnsubscribeController {
  constructor(private readonly optOuts: UnsubscribeService) {}

  @Get(':token')
  @ApiOkResponse({ description: 'The confirmation page; it changes nothing.', content: { 'text/html': {} } })
  async ask(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerQuestion(request, response, await this.optOuts.peek(token));
  }

  @Post(':token')
  @ApiOkResponse({ description: 'Unsubscribed, now or earlier.', content: { 'text/html': {} } })
  async unsubscribe(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerUnsubscribed(request, response, await this.optOuts.unsubscribe(token, await getWay(request)));
  }
}
