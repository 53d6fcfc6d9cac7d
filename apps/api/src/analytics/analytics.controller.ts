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
  WorkspaceAnalyticsService,
} from '@domain/analytics';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('analytics')
@ApiTags('Analytics')
export class AnalyticsController {
  constructor(
    private readonly campaigns: AnalyticsService,
    private readonly workspaces: WorkspaceAnalyticsService,
  ) {}

  @Get('overview')
  @Summary('Summarises the results of all campaigns in a period, such as positive replies per contacted lead.')
  @Access('read')
  @Returns(200, OverviewResponse)
  overview(@Scope() workspace: WorkspaceScope, @Query() query: PeriodQuery): Promise<OverviewResponse> {
    return this.workspaces.overview(workspace, query);
  }

  @Get('mailboxes')
  @Summary('Lists mailboxes, newest first, with the results of their emails in a period.')
  @Access('read')
  @Returns(200, MailboxFiguresResponse, 'page')
  mailboxes(
    @Scope() workspace: WorkspaceScope,
    @Query() query: MailboxFiguresQuery,
  ): Promise<Page<MailboxFiguresResponse>> {
    return this.workspaces.byMailbox(workspace, query);
  }

  @Get('campaigns/:campaignId')
  @Summary('Reads the figures of a campaign and of its steps, and its leads by status.')
  @Access('read', { bearer: true })
  @Returns(200, CampaignAnalyticsResponse)
  campaign(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
  ): Promise<CampaignAnalyticsResponse> {
    return this.campaigns.read(workspace, campaignId);
  }

  @Get('campaigns/:campaignId/timeline')
  @Summary('Lists the daily results of a campaign; machine opens and automatic replies are counted separately.')
  @Access('read')
  @Returns(200, CampaignTimelineResponse)
  timeline(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: TimelineQuery,
  ): Promise<CampaignTimelineResponse> {
    return this.campaigns.timeline(workspace, campaignId, query);
  }
}
