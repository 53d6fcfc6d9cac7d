import { type WorkspaceScope } from '@domain/access';
import {
  CAMPAIGN_EXAMPLES,
  PublishSequenceRequest,
  CampaignSequenceService,
  SequenceImpactResponse,
  SequenceQuery,
  SequenceResponse,
  SequenceVersionResponse,
  SequenceVersionsQuery,
} from '@domain/campaigns';
import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('campaigns/:campaignId/sequence')
@ApiTags('Campaigns')
export class CampaignSequenceController {
  constructor(private readonly editing: CampaignSequenceService) {}

  @Get()
  @Summary('Reads the published sequence, or an earlier version, with all variants and delays.')
  @Access('read')
  @Returns(200, SequenceResponse)
  get(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: SequenceQuery,
  ): Promise<SequenceResponse> {
    return this.editing.get(workspace, campaignId, query);
  }

  @Put()
  @Summary('Publishes a sequence as a new version; leads continue at their current steps.')
  @Example(PublishSequenceRequest, CAMPAIGN_EXAMPLES.publish)
  @Access('write')
  @Returns(200, SequenceResponse)
  publish(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: PublishSequenceRequest,
  ): Promise<SequenceResponse> {
    return this.editing.publish(workspace, campaignId, body);
  }

  @Post('preview')
  @Summary('Returns what publishing a sequence would change, and for how many leads; nothing is stored.')
  @Example(PublishSequenceRequest, CAMPAIGN_EXAMPLES.publish)
  @Access('read')
  @Returns(200, SequenceImpactResponse)
  preview(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: PublishSequenceRequest,
  ): Promise<SequenceImpactResponse> {
    return this.editing.preview(workspace, campaignId, body);
  }

  @Get('versions')
  @Summary('Lists the versions of a sequence, newest first.')
  @Access('read')
  @Returns(200, SequenceVersionResponse, 'page')
  versions(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: SequenceVersionsQuery,
  ): Promise<Page<SequenceVersionResponse>> {
    return this.editing.versions(workspace, campaignId, query);
  }
}
