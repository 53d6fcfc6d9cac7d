import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendingModule } from '@domain/sending';
import { SendsModule } from '@domain/sends';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CampaignAnalytics } from './campaign.analytics.service';
import { CampaignDaysProjection } from './days/campaign.days.projection.service';
import { CampaignDays } from './days/campaign.days.service';
import { CampaignDaysRebuild } from './rebuild/campaign.days.rebuild.service';
import { PeriodFigures } from './period.figures.service';
import { StatsRebuild } from './rebuild/stats.rebuild.service';
import { CampaignDayRecord } from './schemas/campaign-day.record';
import { WorkspaceAnalytics } from './workspace.analytics.service';

const offered = [CampaignAnalytics, WorkspaceAnalytics, PeriodFigures, StatsRebuild];

@Module({
  imports: [
    DatabaseModule.collections(CampaignDayRecord),
    EventsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
    SendingModule,
  ],
  providers: [...offered, CampaignDays, CampaignDaysProjection, CampaignDaysRebuild],
  exports: offered,
})
export class AnalyticsModule {}
