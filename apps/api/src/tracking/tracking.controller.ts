import { TrackingHitsService, TrackingHostsService } from '@domain/tracking';
import { Controller, Get, Param, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Page } from '../http';
import { PageErrorFilter } from './page-error.filter';
import { answerClick, answerHoneypot, answerPixel, answerProof, getVisitor } from './tracking-responses';

/** Serves the pixels and links of emails, on every host, for GET and HEAD, and never rejects a scanner. */
@Controller({ path: 't', version: VERSION_NEUTRAL })
@Page()
@UseFilters(PageErrorFilter)
export class TrackingController {
  constructor(
    private readonly hits: TrackingHitsService,
    private readonly hosts: TrackingHostsService,
  ) {}

  @Get('o/:token')
  @ApiOkResponse({ description: 'One transparent pixel, for any token.', content: { 'image/gif': {} } })
  async open(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.hits.open(token, getVisitor(request));
    answerPixel(response);
  }

  @Get('c/:token')
  @ApiResponse({ status: '2XX', description: 'Never; 302 to the original target of the link, or 404.' })
  async click(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    answerClick(request, response, await this.hits.click(token, getVisitor(request)));
  }

  @Get('h/:token')
  @ApiOkResponse({ description: 'A page without content, for any token.', content: { 'text/html': {} } })
  async honeypot(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.hits.honeypot(token, getVisitor(request));
    answerHoneypot(request, response);
  }

  @Get('v/:challenge')
  @ApiOkResponse({ description: 'Proves that this host points to this installation.', content: { 'text/plain': {} } })
  prove(@Param('challenge') challenge: string, @Res() response: Response): void {
    answerProof(response, this.hosts.answerProof(challenge));
  }
}
