import { type WorkspaceScope } from '@domain/access';
import {
  LEAD_EXAMPLES,
  LeadActionRequest,
  LeadActionResponse,
  LeadActionsService,
  LeadsService,
  LeadExportQuery,
} from '@domain/leads';
import { Body, Controller, Get, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, getFile, Returns, ReturnsFile, Scope, Summary } from '../http';

@Controller('campaigns/:campaignId/leads')
@ApiTags('Campaign leads')
export class LeadActionsController {
  constructor(
    private readonly actions: LeadActionsService,
    private readonly leads: LeadsService,
  ) {}

  @Post('action')
  @Summary('Pauses, resumes or removes the named leads, or all that match. Responds when it is done.')
  @Example(LeadActionRequest, LEAD_EXAMPLES.action)
  @Access('write', { bearer: true })
  @Returns(200, LeadActionResponse)
  run(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: LeadActionRequest,
  ): Promise<LeadActionResponse> {
    return this.actions.run(workspace, campaignId, body);
  }

  @Get('export')
  @Summary('Downloads the leads of a campaign as CSV, with the filters of the list.')
  @Access('read')
  @ReturnsFile(['text/csv'], 'CSV in UTF-8 with a header; cells that look like formulas begin with an apostrophe.')
  async export(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: LeadExportQuery,
  ): Promise<StreamableFile> {
    return getFile(await this.leads.exportCsv(workspace, campaignId, query), 'text/csv; charset=utf-8', 'leads.csv');
  }
}
