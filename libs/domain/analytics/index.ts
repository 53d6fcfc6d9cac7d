export { AnalyticsModule } from './analytics.module';
export { CampaignAnalytics } from './campaign.analytics.service';
export { CampaignAnalyticsResponse } from './dto/campaign-analytics.dto';
export { CampaignTimelineResponse } from './dto/campaign-timeline.dto';
export { MailboxFiguresResponse } from './dto/mailbox-figures.dto';
export { OverviewResponse } from './dto/overview.dto';
export { MailboxFiguresQuery, PeriodQuery, TimelineQuery } from './dto/period.query';
export { StatsRebuild } from './rebuild/stats.rebuild.service';
export { WorkspaceAnalytics } from './workspace.analytics.service';
