import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendingModule } from '@domain/sending';
import { SendsModule } from '@domain/sends';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AnalyticsService } from './analytics.service';
import { CampaignDaysListener } from './days/campaign-days.listener';
import { CampaignDaysRepository } from './days/campaign-days.repository';
import { StatsRebuildService } from './rebuild/stats-rebuild.service';
import { PeriodFiguresService } from './period-figures.service';
import { StatsRebuildPartService } from './rebuild/stats-rebuild-part.service';
import { CampaignDayRecord } from './schemas/campaign-day.record';
import { WorkspaceAnalyticsService } from './workspace-analytics.service';

const offered = [AnalyticsService, WorkspaceAnalyticsService, PeriodFiguresService, StatsRebuildPartService];

@Module({
  imports: [
    DatabaseModule.collections(CampaignDayRecord),
    EventsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
    SendingModule,
  ],
  providers: [...offered, CampaignDaysRepository, CampaignDaysListener, StatsRebuildService],
  exports: offered,
})
export class AnalyticsModule {}
