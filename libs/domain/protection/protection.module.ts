import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { BounceTallyRecord } from './schemas/bounce-tally.record';
import { ProtectedSubjectRecord } from './schemas/protected-subject.record';
import { BounceProtectionService } from './pause/bounce-protection.service';
import { BounceProtectionJobService } from './pause/bounce-protection-job.service';
import { BounceProtectionListener } from './pause/bounce-protection.listener';
import { SenderProtectionService } from './pause/sender-protection.service';
import { BounceTallyRepository } from './tally/bounce-tally.repository';
import { BounceTallyListener } from './tally/bounce-tally.listener';

@Module({
  imports: [
    DatabaseModule.collections(BounceTallyRecord, ProtectedSubjectRecord),
    EventsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
  ],
  providers: [
    BounceProtectionJobService,
    BounceTallyRepository,
    BounceTallyListener,
    BounceProtectionService,
    SenderProtectionService,
    BounceProtectionListener,
  ],
  exports: [BounceProtectionJobService, BounceTallyRepository],
})
export class ProtectionModule {}
