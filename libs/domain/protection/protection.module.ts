import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { BounceTallyRecord } from './schemas/bounce-tally.record';
import { ProtectedSubjectRecord } from './schemas/protected-subject.record';
import { CampaignProtection } from './stop/campaign.protection.service';
import { ProtectionChecks } from './stop/protection.checks.service';
import { ProtectionRelease } from './stop/protection.release.service';
import { SenderProtection } from './stop/sender.protection.service';
import { BounceFigures } from './tally/bounce.figures.service';
import { BounceTallies } from './tally/bounce.tallies.service';

@Module({
  imports: [
    DatabaseModule.collections(BounceTallyRecord, ProtectedSubjectRecord),
    EventsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
  ],
  providers: [ProtectionChecks, BounceFigures, BounceTallies, CampaignProtection, SenderProtection, ProtectionRelease],
  exports: [ProtectionChecks, BounceFigures],
})
export class ProtectionModule {}
