import { EnrichmentCallbackResponse, EnrichmentCallbackService } from '@domain/enrichment';
import { Controller, HttpCode, Param, Post, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { type Request } from 'express';
import { Page, Public } from '../http';
import { callbackBody, signatureIn } from './callback-body';

/** Receives the results of the enrichment tool: outside /v1, without a key; the token names the item. */
@Controller({ path: 'enrichment/callback', version: VERSION_NEUTRAL })
@Page()
export class EnrichmentCallbackController {
  constructor(private readonly callbacks: EnrichmentCallbackService) {}

  // Rate-limited, other than pages for people, to slow down guessing of tokens.
  @Post(':token')
  @Public({ fromMachines: true })
  @HttpCode(200)
  @ApiOkResponse({ type: EnrichmentCallbackResponse })
  async receive(@Param('token') token: string, @Req() request: Request): Promise<EnrichmentCallbackResponse> {
    return this.callbacks.receive(token, await callbackBody(request), signatureIn(request));
  }
}
