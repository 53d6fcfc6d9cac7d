import { type WorkspaceScope } from '@domain/access';
import {
  CAMPAIGN_EXAMPLES,
  CampaignsService,
  CampaignListItem,
  CampaignQuery,
  CampaignResponse,
  CampaignSettingsResponse,
  CreateCampaignRequest,
  UpdateCampaignRequest,
} from '@domain/campaigns';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('campaigns')
@ApiTags('Campaigns')
export class CampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Post()
  @Summary('Creates a campaign as a draft; only the name is required.')
  @Example(CreateCampaignRequest, CAMPAIGN_EXAMPLES.create)
  @Access('write')
  @Returns(201, CampaignResponse)
  create(@Scope() workspace: WorkspaceScope, @Body() body: CreateCampaignRequest): Promise<CampaignResponse> {
    return this.campaigns.create(workspace, body);
  }

  @Get()
  @Summary('Lists campaigns, newest first; searched by name.')
  @Access('read')
  @Returns(200, CampaignListItem, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: CampaignQuery): Promise<Page<CampaignListItem>> {
    return this.campaigns.list(workspace, query);
  }

  @Get(':campaignId')
  @Summary('Reads a campaign with the counts of its leads.')
  @Access('read', { bearer: true })
  @Returns(200, CampaignResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<CampaignResponse> {
    return this.campaigns.get(workspace, campaignId);
  }

  @Get(':campaignId/settings')
  @Summary('Reads the limits and further settings of a campaign, and the reason of a stop.')
  @Access('read')
  @Returns(200, CampaignSettingsResponse)
  settings(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
  ): Promise<CampaignSettingsResponse> {
    return this.campaigns.settings(workspace, campaignId);
  }

  @Patch(':campaignId')
  @Summary('Updates a campaign, even while it is active; a sequence is published as a new version.')
  @Example(UpdateCampaignRequest, CAMPAIGN_EXAMPLES.update)
  @Access('write')
  @Returns(200, CampaignResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: UpdateCampaignRequest,
  ): Promise<CampaignResponse> {
    return this.campaigns.update(workspace, campaignId, body);
  }

  @Delete(':campaignId')
  @Summary('Deletes a campaign with its leads; rejected while it is active. Recipients can still reply to its emails.')
  @Access('write')
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<MessageResponse> {
    return this.campaigns.delete(workspace, campaignId);
  }
}
