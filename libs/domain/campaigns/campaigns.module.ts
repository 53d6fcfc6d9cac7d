import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CampaignCountersService } from './campaign-counters.service';
import { CampaignMailboxListener } from './campaign-mailbox.listener';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { CampaignRepository } from './campaign.repository';

import { ActiveCampaignsRepository } from './active-campaigns.repository';

import { CampaignsService } from './campaigns.service';

import { CampaignStatusService } from './campaign-status.service';

import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';
import { CampaignSequenceService } from './campaign-sequence.service';
import { SequenceVersionService } from './sequence-version.service';

const offered = [
  CampaignRepository,
  CampaignCountersService,
  ActiveCampaignsRepository,
  CampaignsService,
  CampaignStatusService,
  CampaignSequenceService,
  SequenceVersionService,
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
    CampaignRepository,
    SequenceVersionService,
    CampaignMailboxListener,
  ],
  exports: offered,
})
export class CampaignsModule {}
