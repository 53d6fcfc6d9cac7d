import { type WorkspaceScope } from '@domain/access';
import {
  AddLeadsRequest,
  LEAD_EXAMPLES,
  LeadsService,
  LeadQuery,
  LeadResponse,
  LeadsAddedResponse,
  UpdateLeadRequest,
} from '@domain/leads';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('campaigns/:campaignId/leads')
@ApiTags('Campaign leads')
export class LeadsController {
  constructor(private readonly leads: LeadsService) {}

  @Post()
  @Summary('Adds up to 1000 leads; returns the rejected ones with reasons.')
  @Example(AddLeadsRequest, LEAD_EXAMPLES.add)
  @Access('write')
  @Returns(201, LeadsAddedResponse)
  add(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: AddLeadsRequest,
  ): Promise<LeadsAddedResponse> {
    return this.leads.add(workspace, campaignId, body);
  }

  @Get()
  @Summary('Lists the leads of a campaign, newest first; searched by address, name and company.')
  @Access('read')
  @Returns(200, LeadResponse, 'page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: LeadQuery,
  ): Promise<Page<LeadResponse>> {
    return this.leads.list(workspace, campaignId, query);
  }

  @Get(':leadId')
  @Summary('Reads a lead.')
  @Access('read')
  @Returns(200, LeadResponse)
  get(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Param('leadId') leadId: string,
  ): Promise<LeadResponse> {
    return this.leads.get(workspace, campaignId, leadId);
  }

  @Patch(':leadId')
  @Summary('Changes a lead; resumes one that was paused for a missing value when it has the value.')
  @Example(UpdateLeadRequest, LEAD_EXAMPLES.update)
  @Access('write')
  @Returns(200, LeadResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Param('leadId') leadId: string,
    @Body() body: UpdateLeadRequest,
  ): Promise<LeadResponse> {
    return this.leads.update(workspace, campaignId, leadId, body);
  }
}
