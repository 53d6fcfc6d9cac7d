import { ReportUnsubscribeService } from '@domain/reports';
import { Controller, Get, Param, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Page } from '../http';
import { PageErrorFilter } from '../tracking/page-error.filter';
import { answerQuestion, answerUnsubscribed } from '../tracking/tracking-responses';

/** The page on which a reader stops reports, and the POST of its button and of mail programs (RFC 8058). */
@Controller({ path: 'r', version: VERSION_NEUTRAL })
@Page()
@UseFilters(PageErrorFilter)
export class ReportStopController {
  constructor(private readonly stops: ReportUnsubscribeService) {}

  @Get(':token')
  @ApiOkResponse({
    description: 'A page that asks for confirmation; it changes nothing.',
    content: { 'text/html': {} },
  })
  async ask(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerQuestion(request, response, await this.stops.peek(token));
  }

  @Post(':token')
  @ApiOkResponse({ description: 'The reports are stopped, now or before.', content: { 'text/html': {} } })
  async stop(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerUnsubscribed(request, response, await this.stops.stop(token));
  }
}
