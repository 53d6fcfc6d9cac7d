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
import { CampaignDayRecord } from './schemas/campaign-day.record';

const offered = [AnalyticsService, StatsRebuildService];

@Module({
  imports: [
    DatabaseModule.collections(CampaignDayRecord),
    EventsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
    SendingModule,
  ],
  providers: [...offered, CampaignDaysRepository, CampaignDaysListener],
  exports: offered,
})
export class AnalyticsModule {}
