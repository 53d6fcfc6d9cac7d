import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { TrackingHitsService } from './hits/tracking-hits.service';
import { TrackingHostsService } from './hosts/tracking-hosts.service';
import { UnsubscribeService } from './opt-outs/unsubscribe.service';
import { TrackingHitRecord } from './schemas/tracking-hit.record';
import { TrackingHostRecord } from './schemas/tracking-host.record';
import { TrackingTokenService } from './tracking-token.service';
import { TrackingUrlsService } from './tracking-urls.service';
import { HitClassificationService } from './classification/hit-classification.service';

const exported = [
  TrackingTokenService,
  TrackingUrlsService,
  TrackingHitsService,
  HitClassificationService,
  UnsubscribeService,
  TrackingHostsService,
];

@Module({
  imports: [
    DatabaseModule.collections(TrackingHitRecord, TrackingHostRecord),
    AuditModule,
    WorkspacesModule,
    EventsModule,
    SuppressionsModule,
    MailboxesModule,
    SendsModule,
    CampaignsModule,
    LeadsModule,
  ],
  providers: exported,
  exports: exported,
})
export class TrackingModule {}
