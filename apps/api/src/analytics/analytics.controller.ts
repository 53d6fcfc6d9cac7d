import { type WorkspaceScope } from '@domain/access';
import {
  AnalyticsService,
  CampaignAnalyticsResponse,
  CampaignTimelineResponse,
  MailboxFiguresQuery,
  MailboxFiguresResponse,
  OverviewResponse,
  PeriodQuery,
  TimelineQuery,
} from '@domain/analytics';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('analytics')
@ApiTags('Analytics')
export class AnalyticsController {
  constructor(private readonly figures: AnalyticsService) {}

  @Get('overview')
  @Summary('Sums up what came of all campaigns in a period: positive replies per lead contacted before all.')
  @Access('read')
  @Returns(200, OverviewResponse)
  overview(@Scope() workspace: WorkspaceScope, @Query() query: PeriodQuery): Promise<OverviewResponse> {
    return this.figures.overview(workspace, query);
  }

  @Get('mailboxes')
  @Summary('Lists mailboxes, newest first, with what came of their emails in a period.')
  @Access('read')
  @Returns(200, MailboxFiguresResponse, 'page')
  mailboxes(
    @Scope() workspace: WorkspaceScope,
    @Query() query: MailboxFiguresQuery,
  ): Promise<Page<MailboxFiguresResponse>> {
    return this.figures.byMailbox(workspace, query);
  }

  @Get('campaigns/:campaignId')
  @Summary('Reads the figures of a campaign, of its steps, and its leads by status.')
  @Access('read', { bearer: true })
  @Returns(200, CampaignAnalyticsResponse)
  campaign(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
  ): Promise<CampaignAnalyticsResponse> {
    return this.figures.campaign(workspace, campaignId);
  }

  @Get('campaigns/:campaignId/timeline')
  @Summary('Tells day by day what came of a campaign; machines and automatic answers apart from people.')
  @Access('read')
  @Returns(200, CampaignTimelineResponse)
  timeline(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: TimelineQuery,
  ): Promise<CampaignTimelineResponse> {
    return this.figures.timeline(workspace, campaignId, query);
  }
}
