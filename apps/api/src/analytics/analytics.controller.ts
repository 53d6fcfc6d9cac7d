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
  @Summary(
    'Returns the totals of all campaigns in a period, with positive replies per contacted lead as the main result.',
  )
  @Access('read')
  @Returns(200, OverviewResponse)
  overview(@Scope() workspace: WorkspaceScope, @Query() query: PeriodQuery): Promise<OverviewResponse> {
    return this.figures.overview(workspace, query);
  }

  @Get('mailboxes')
  @Summary('Lists mailboxes, newest first, with the figures of their emails in a period.')
  @Access('read')
  @Returns(200, MailboxFiguresResponse, 'page')
  mailboxes(
    @Scope() workspace: WorkspaceScope,
    @Query() query: MailboxFiguresQuery,
  ): Promise<Page<MailboxFiguresResponse>> {
    return this.figures.byMailbox(workspace, query);
  }

  @Get('campaigns/:campaignId')
  @Summary('Reads the figures of a campaign and of its steps, and its leads by status.')
  @Access('read', { bearer: true })
  @Returns(200, CampaignAnalyticsResponse)
  campaign(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
  ): Promise<CampaignAnalyticsResponse> {
    return this.figures.campaign(workspace, campaignId);
  }

  @Get('campaigns/:campaignId/timeline')
  @Summary('Reads the figures of a campaign by day, with machines and automatic replies separate from people.')
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
