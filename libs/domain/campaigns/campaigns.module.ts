import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CampaignCountersService } from './campaign-counters.service';
import { CampaignErasureService } from './campaign-erasure.service';
import { CampaignMailboxListener } from './campaign-mailbox.listener';
import { CampaignReviewsRepository } from './campaign-reviews.repository';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { CampaignSharesRepository } from './campaign-shares.repository';
import { CampaignHookRegistry } from './campaign-hook.registry';
import { ActiveCampaignsRepository } from './active-campaigns.repository';
import { CampaignWriterRepository } from './campaign-writer.repository';
import { CampaignCreationService } from './campaign-creation.service';
import { CampaignDeletionService } from './campaign-deletion.service';
import { CampaignDuplicationService } from './campaign-duplication.service';
import { CampaignRepository } from './campaign.repository';
import { CampaignsService } from './campaigns.service';
import { CampaignStatusService } from './campaign-status.service';
import { CampaignUpdateService } from './campaign-update.service';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';
import { CampaignSequenceService } from './campaign-sequence.service';
import { SequenceVersionService } from './sequence-version.service';
import { SequencesService } from './sequences.service';

const offered = [
  CampaignRepository,
  CampaignCountersService,
  CampaignReviewsRepository,
  CampaignSharesRepository,
  CampaignHookRegistry,
  ActiveCampaignsRepository,
  CampaignsService,
  CampaignCreationService,
  CampaignUpdateService,
  CampaignStatusService,
  CampaignDuplicationService,
  CampaignDeletionService,
  CampaignErasureService,
  CampaignSequenceService,
  SequencesService,
];

@Module({
  imports: [
    DatabaseModule.collections(CampaignRecord, CampaignSequenceRecord, CampaignMailboxRecord),
    WorkspacesModule,
    AuditModule,
    EventsModule,
    MailboxesModule,
    SendsModule,
  ],
  providers: [
    ...offered,
    CampaignMailboxesService,
    CampaignWriterRepository,
    SequenceVersionService,
    CampaignMailboxListener,
  ],
  exports: offered,
})
export class CampaignsModule {}
