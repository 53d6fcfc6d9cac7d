import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { BounceProtectionService } from './pause/bounce-protection.service';
import { BounceProtectionListener } from './pause/bounce-protection.listener';
import { BounceTallyRecord } from './schemas/bounce-tally.record';
import { ProtectedSubjectRecord } from './schemas/protected-subject.record';
import { BounceTallyListener } from './tally/bounce-tally.listener';
import { BounceTallyRepository } from './tally/bounce-tally.repository';

@Module({
  imports: [
    DatabaseModule.collections(BounceTallyRecord, ProtectedSubjectRecord),
    EventsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
  ],
  providers: [BounceProtectionService, BounceTallyRepository, BounceTallyListener, BounceProtectionListener],
  exports: [BounceProtectionService, BounceTallyRepository],
})
export class ProtectionModule {}
