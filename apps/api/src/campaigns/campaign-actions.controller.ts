import { type WorkspaceScope } from '@domain/access';
import { CampaignResponse, CampaignsService, CampaignStatusService } from '@domain/campaigns';
import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('campaigns/:campaignId')
@ApiTags('Campaigns')
export class CampaignActionsController {
  constructor(
    private readonly transitions: CampaignStatusService,
    private readonly campaigns: CampaignsService,
  ) {}

  @Post('pause')
  @Summary('Pauses an active campaign: after the response nothing more is submitted to a mail server.')
  @Access('write')
  @Returns(200, CampaignResponse)
  pause(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<CampaignResponse> {
    return this.transitions.pause(workspace, campaignId);
  }

  @Post('resume')
  @Summary('Resumes a paused campaign where it stopped.')
  @Access('write')
  @Returns(200, CampaignResponse)
  resume(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<CampaignResponse> {
    return this.transitions.resume(workspace, campaignId);
  }

  @Post('archive')
  @Summary('Archives a campaign permanently; it can still be read, duplicated and deleted.')
  @Access('write')
  @Returns(200, CampaignResponse)
  archive(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<CampaignResponse> {
    return this.transitions.archive(workspace, campaignId);
  }

  @Post('duplicate')
  @Summary('Creates a draft with the settings, mailboxes and sequence of a campaign, without its leads.')
  @Access('write')
  @Returns(201, CampaignResponse)
  duplicate(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<CampaignResponse> {
    return this.campaigns.duplicate(workspace, campaignId);
  }
}
