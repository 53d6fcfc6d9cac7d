import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CampaignCounters } from './campaign.counters.service';
import { CampaignErasure } from './campaign.erasure.service';
import { CampaignMailboxUse } from './campaign.mailbox-use.service';
import { CampaignReviews } from './campaign.reviews.service';
import { CampaignSenders } from './campaign.senders.service';
import { CampaignShares } from './campaign.shares.service';
import { CampaignUses } from './campaign.uses';
import { CampaignWork } from './campaign.work.service';
import { CampaignWriter } from './campaign.writer.service';
import { CampaignCreationService } from './campaigns.creation.service';
import { CampaignDeletionService } from './campaigns.deletion.service';
import { CampaignDuplicationService } from './campaigns.duplication.service';
import { Campaigns } from './campaigns.reads.service';
import { CampaignsService } from './campaigns.service';
import { CampaignTransitions } from './campaigns.transitions.service';
import { CampaignUpdateService } from './campaigns.update.service';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';
import { SequenceEditing } from './sequence.editing.service';
import { SequencePublication } from './sequence.publication.service';
import { Sequences } from './sequences.service';

const offered = [
  Campaigns,
  CampaignCounters,
  CampaignReviews,
  CampaignShares,
  CampaignUses,
  CampaignWork,
  CampaignsService,
  CampaignCreationService,
  CampaignUpdateService,
  CampaignTransitions,
  CampaignDuplicationService,
  CampaignDeletionService,
  CampaignErasure,
  SequenceEditing,
  Sequences,
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
  providers: [...offered, CampaignSenders, CampaignWriter, SequencePublication, CampaignMailboxUse],
  exports: offered,
})
export class CampaignsModule {}
